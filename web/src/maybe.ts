/** A quantity that may not exist. */
export type Maybe = number | null | undefined;

export const known = (value: Maybe): value is number => typeof value === "number" && Number.isFinite(value);

/** Numbers, with NaN for what does not exist. */
export const numbers = (values: readonly Maybe[]): number[] => values.map((value) => value ?? NaN);
