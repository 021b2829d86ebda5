export const matrix = async (..._: unknown[]): Promise<void> => {};
