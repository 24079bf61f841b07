// Percentiles: the value that this share of the figures stays below.

/** `share` from 0 to 1. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const median = (values) => quantile(values, 0.5)
