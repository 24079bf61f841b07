/**
 * Whether a value holds lists or objects more than so many levels deep. Postgres and JSON.stringify both give up on
 * bottomless nesting, at depths of their own.
 */
export const nestsDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => nestsDeeperThan(levels - 1, inner)))
