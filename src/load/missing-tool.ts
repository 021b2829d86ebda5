/** A program that was asked for is not there. Exit code 5. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool';
  readonly tool: string;

  constructor(tool: string, says: string) {
    super(says);
    this.tool = tool;
  }
}
