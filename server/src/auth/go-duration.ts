// Durations as config.toml and the admin API write them: "60s", "1m30s", "24h".

const UNIT_SECONDS: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 }

/** Seconds, or null when the text is no duration. */
export function parseDuration(text: string): number | null {
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(text)) return text === '0' ? 0 : null
  let seconds = 0
  for (const [, amount = '', unit = ''] of text.matchAll(/([\d.]+)([a-zµ]+)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit] ?? 0)
  }
  return seconds
}
