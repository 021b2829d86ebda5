export const diff = async (..._: unknown[]): Promise<void> => {};
