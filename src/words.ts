/**
 * Ordinary words, for everything that a run invents: what a service meets must look like what other clients send. Short, lower
 * case, without meaning for any service.
 */
import { drawnFrom, type Random } from './random.ts';

const list =
  'acorn alley amber anchor apple apron arrow autumn badge baker balcony bamboo barley basin basket beacon beaver berry birch bishop blanket blossom border bottle boulder branch bramble breeze brick bridge bronze brook broom bucket buffalo button cabin cable cactus camel candle canoe canvas canyon carbon cargo carpet castle cedar cellar chalk chapel cherry chestnut cinder circle citrus clay cliff clock clover cobalt coffee comet copper coral corner cotton cottage cradle crane crater creek cricket crystal curtain cypress daisy dapple desert diamond dolphin donkey dragon driftwood drum dune eagle easel echo elbow elder elm ember engine falcon feather fennel fern ferry fiddle field finch fjord flannel flint forest fossil fountain foxglove gallop garden garnet ginger glacier goblet granite grape gravel grove guitar hammer hamlet harbour harvest hazel heather hedge heron hickory hollow honey horizon hornet iris island ivory ivy jacket jasmine jersey jigsaw juniper kernel kettle kitten lagoon lantern lark laurel lavender ledger lemon lentil lichen lilac linen lizard lobster locket lotus lumber magnet magpie mallow maple marble marina marsh meadow melon mercury meteor mill mint mirror mitten moss mountain mulberry mustard myrtle needle nettle nickel nutmeg oak oasis oatmeal ocean olive onion opal orange orbit orchard orchid otter oyster paddle palace panther paper parcel parsley pasture peach pebble pelican pepper petal pewter pheasant pigeon pillow pine planet plaster plum pocket pollen pond poplar poppy porch prairie pumpkin quarry quartz quill quilt rabbit radish rafter raven reed ribbon ridge river robin rocket rosemary ruby saddle saffron sail salmon sandal sapphire satchel scarf shadow shell shepherd shovel silver slate sorrel sparrow spindle spruce squirrel stable steeple stone stream summit sunset swallow sycamore tablet tangle teapot temple thicket thimble thistle thunder timber tinder topaz tower trellis tulip tundra turnip turtle valley vanilla velvet village violet walnut walrus weaver wharf wheat whistle willow window winter wisteria wombat yarrow zephyr'.split(
    ' ',
  );

export const pick = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)]!;

export const anyWord = (random: Random): string => pick(list, random);

export const digits = (random: Random, count: number): string =>
  String(Math.floor(random() * 10 ** count)).padStart(count, '0');

/** Two words and four digits in one piece, of thirteen characters at least: in an answer it stands for one request alone. */
export const token = (random: Random): string => inOnePiece(drawn(random));

/** The same, but short where the words are: no service should know an address by its digits, nor by a word that is too long for one. */
export function slug(random: Random): string {
  const made = drawn(random);
  const words = made.words.join('');
  return words.length <= longestSlug ? words : inOnePiece(made);
}

const longestSlug = 11;

interface Drawn {
  readonly words: readonly string[];
  readonly number: string;
}

const drawn = (random: Random): Drawn => ({ words: [anyWord(random), anyWord(random)], number: digits(random, 4) });

const inOnePiece = ({ words, number }: Drawn): string => `${words.join('')}${number}`.padEnd(13, '7');

/** The token with this number, of a run whose tokens come from a text that was not known before. */
export const tokenOf = (root: string, number: number): string => token(drawnFrom(`${root} nonce ${number}`));

/** What `token` makes, and what it made in runs of the first rule set. */
export const aToken = /\b(?:n[0-9a-z]{12}|[a-z]{6,20}[0-9]{4,})\b/g;

/** A label of a record, by which it is found again; with digits or without, for no service should know it by them. */
export function label(random: Random): string {
  const words = `${anyWord(random)}-${anyWord(random)}`;
  const drawn = digits(random, 9);
  const isOfLetters = Number(drawn[0]) % 2 === 0;
  return `${words}-${isOfLetters ? spelledOut(drawn.slice(1)) : drawn.slice(1)}`;
}

const spelledOut = (number: string): string => number.replaceAll(/\d/g, (digit) => 'bdfklmnrst'[Number(digit)]!);

export const aLabel = /\b[a-z]{3,10}-[a-z]{3,10}-(?:[0-9]{8}|[a-z]{8})\b/;

/** A name like another one: the same signs, and other words and digits between them. */
export function nameLike(known: string, random: Random): string {
  const made = known
    .replaceAll(/[a-z]+/gi, () => anyWord(random))
    .replaceAll(/[0-9]+/g, (found) => digits(random, found.length));
  return made === known || !/[a-z]/i.test(made) ? `${anyWord(random)}-${anyWord(random)}` : made;
}
