/** A key of which only an end is missing. */
import { Secret } from '../model/secret.ts';

/** So few characters are guessed. */
const fewLost = 4;
/** A shorter one is a word like any other. */
const shortest = 12;

export function holdsMostOf(secret: Secret, text: string): boolean {
  const body = Secret.reveal(secret).replace(/^vk_(?:live|test)_/, '');
  const parts = [body.slice(0, -fewLost), body.slice(fewLost)];
  return parts.some((part) => part.length >= shortest && text.includes(part));
}
