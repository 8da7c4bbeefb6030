/** A quantity that may not exist. */
export type Maybe = number | null | undefined;

export const known = (value: Maybe): value is number => typeof value === "number" && Number.isFinite(value);
