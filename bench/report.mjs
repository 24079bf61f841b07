// Formats the figures as a table for the terminal and a page for the repository.

const PEER_TIMES = 4
const RAW_SHARE = 0.5
const COLD_SECONDS = 30
const WARM_SECONDS = 5
const MEMORY_MB = 350

/**
 * Writes the report. `backends`: [{ name, rows }]; `browsing`: [{ name, promise, rows }], where `promise` is the goal
 * for p95 in ms; `startup`: the result of measureStartup, or undefined.
 */
export function writeReport({ machine, backends, browsing, startup, settings }) {
  return [
    '# Benchmark results',
    '',
    'Written by `npm run bench`; what is measured and how is in [README.md](README.md).',
    '',
    table([['', ''], ...machine]),
    '',
    `${settings.workers} connections, ${settings.rounds} rounds of ${settings.seconds} s per contestant and call, in turns; every figure is the median of its rounds. Times are milliseconds.`,
    ...backends.flatMap(({ name, rows }) => [
      '',
      `## ${name}`,
      '',
      table(figures(rows)),
      '',
      table(verdicts(rows)),
    ]),
    ...(browsing.length > 0
      ? ['', '## Browsing among 100,000 plans', '', table(browsingFigures(browsing))]
      : []),
    ...(startup ? ['', '## Start and memory', '', table(startupFigures(startup))] : []),
    '',
  ].join('\n')
}

function figures(rows) {
  const http = ({ perSecond, p50, p99 }) => [count(perSecond), p50.toFixed(2), p99.toFixed(2)]
  return [
    ['call', 'ours/s', 'p50', 'p99', 'peer/s', 'p50', 'p99', 'bare driver tx/s', 'p50', 'p99'],
    ...rows.map(({ call, ours, peer, raw }) => [call, ...http(ours), ...http(peer), ...http(raw)]),
  ]
}

function verdicts(rows) {
  return [
    [
      'call',
      `at least ${PEER_TIMES} × the peer`,
      'p99 not worse',
      `at least ${RAW_SHARE * 100}% of the bare driver`,
    ],
    ...rows.map(({ call, ours, peer, raw }) => {
      const times = ours.perSecond / peer.perSecond
      const share = ours.perSecond / raw.perSecond
      return [
        call,
        verdict(times >= PEER_TIMES, `${times.toFixed(1)} ×`),
        verdict(ours.p99 <= peer.p99, `${ours.p99.toFixed(1)} against ${peer.p99.toFixed(1)} ms`),
        verdict(share >= RAW_SHARE, `${Math.round(share * 100)}%`),
      ]
    }),
  ]
}

function browsingFigures(browsing) {
  return [
    [
      'call',
      ...browsing.flatMap(({ name, promise }) => [`${name} median`, 'p95', `p95 under ${promise} ms`]),
    ],
    ...browsing[0].rows.map(({ call }, place) => [
      call,
      ...browsing.flatMap(({ promise, rows }) => {
        const { median, p95 } = rows[place]
        return [median.toFixed(2), p95.toFixed(2), p95 < promise ? 'PASS' : 'MISS']
      }),
    ]),
  ]
}

function startupFigures({ cold, stages, warm, memory }) {
  return [
    ['', 'measured', 'promise'],
    [
      'cold `npm start` (bare clone, empty home, empty npm cache)',
      `${cold.toFixed(1)} s`,
      verdict(cold < COLD_SECONDS, `under ${COLD_SECONDS} s`),
    ],
    ...stages.map(([title, took]) => [`of it, partly at once: ${title.toLowerCase()}`, took, '']),
    ['warm `npm start`', `${warm.toFixed(1)} s`, verdict(warm < WARM_SECONDS, `under ${WARM_SECONDS} s`)],
    [
      'server process at rest on PGlite with the demo data',
      memory === undefined ? 'not measured on this system' : `${count(memory)} MB`,
      memory === undefined ? '' : verdict(memory < MEMORY_MB, `under ${MEMORY_MB} MB`),
    ],
  ]
}

const verdict = (kept, text) => `${kept ? 'PASS' : 'MISS'} (${text})`
const count = (value) => Math.round(value).toLocaleString('en-GB')

// Cells are padded, so that the page reads well as plain text too.
export function table([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join(
    '\n',
  )
}
