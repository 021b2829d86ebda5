/** A program that was asked for is not there. Exit code 5. */
import { UserError } from '../mistakes.ts';

export class MissingTool extends UserError {
  override readonly name = 'MissingTool';
  readonly tool: string;

  constructor(tool: string, says: string) {
    super(says, 'load-tool-missing');
    this.tool = tool;
  }
}
