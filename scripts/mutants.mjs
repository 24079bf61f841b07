// `npm run mutants -- --seed 7 --count 60`: mutation testing. Makes small wrong changes to the source, chosen by the
// seed, and lists those that no test notices. For each change it runs the few test files that say most about the changed
// code. The work tree must be clean. `--only 3,17` tries only these changes; `--list` prints them without running tests.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, fail, filesUnder, ROOT } from './install.mjs'
import { randomFrom } from './random.mjs'
import { load } from './run.mjs'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
/** The maximum number of test files and of seconds per change. */
const MOST_FILES = { sql: 8, server: 4, web: 3 }
const PATIENCE_S = 400

ensureInstalled()
const read = (path) => readFileSync(join(ROOT, path), 'utf8')

const TEST = /\.test\.tsx?$/
/** Slow tests run only if they import the changed file. */
const DEEP = /\.deep\.test\.ts$/
const PARTS = {
  sql: filesUnder('supabase/schemas', /\.sql$/),
  server: filesUnder('server/src', /\.ts$/).filter((path) => !TEST.test(path)),
  web: filesUnder('web/src', /(?<!\.gen)\.tsx?$/).filter((path) => !TEST.test(path)),
}
const tests = ['supabase/tests', 'server', 'web']
  .flatMap((folder) => filesUnder(folder, TEST))
  // Left out: tests of the migrations themselves, tests that name every object and call none, and those that take minutes.
  .filter((path) => !/(releases|schemas|-upgrade|every-object|grants)\.test\.ts$|\/hosted\//.test(path))
  .filter((path) => !DEEP.test(path) || path.startsWith('server/'))
  .map((path) => ({ path, text: read(path) }))

/** Replacements in any line of code. */
const CODE = [
  [/(?<=\s)<=(?=\s)/g, () => '<'],
  [/(?<=\s)>=(?=\s)/g, () => '>'],
  [/(?<=\s)<(?=\s)/g, () => '<='],
  [/(?<=\s)>(?=\s)/g, () => '>='],
  [/\btrue\b/g, () => 'false'],
  [/\bfalse\b/g, () => 'true'],
  [/(?<![\w.'-])[1-9]\d{0,3}(?![\w.'-])/g, (number) => String(Number(number) + 1)],
  [/(?<=\w )\+(?= \w)/g, () => '-'],
]
const SCRIPT = [
  ...CODE,
  [/===/g, () => '!=='],
  [/!==/g, () => '==='],
  [/&&/g, () => '||'],
  [/\|\|/g, () => '&&'],
  [/(?<=[( ])!(?=[a-z])/g, () => ''],
  [/(?<=^\s*if \().+(?=\) return\b)/g, () => 'false'],
]
const CHANGES = {
  sql: [
    ...CODE,
    [/(?<=')\d+(?= (?:minutes?|hours?|days?|seconds?|months?)')/g, (number) => String(Number(number) + 1)],
    [/\band\b(?! )/g, () => 'or'],
    [/(?<= )and(?= )/g, () => 'or'],
    [/(?<= )or(?= )/g, () => 'and'],
    [/\bis not null\b/g, () => 'is null'],
    [/\bis null\b/g, () => 'is not null'],
    [/(?<= )<>(?= )/g, () => '='],
    [/(?<=\bif )not (?!exists|found)/g, () => ''],
    [/(?<=^\s*if ).+(?= then$)/g, () => 'false'],
  ],
  server: SCRIPT,
  web: SCRIPT,
}
const COMMENT = /^\s*(--|\/\/|\*|\/\*|import\b)/

const random = randomFrom(Number(options.seed))
const chosen = Array.from({ length: Number(options.count) }, (_, index) => {
  const part = ['sql', 'server', 'sql', 'web', 'sql', 'server', 'web'][index % 7]
  return { number: index + 1, part, ...choose(part) }
})
const wanted = options.only?.split(',').map(Number)
const tried = chosen.filter(({ number }) => wanted === undefined || wanted.includes(number))
if (options.list) {
  for (const change of tried) console.log(`${describe(change)}\n          ${related(change).join(' ')}`)
  process.exit()
}
if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).trim() !== '')
  fail('Commit or put away what you have changed first: this command changes the source.')

const migrations = filesUnder('supabase/migrations', /\.sql$/).sort()
// Tests run on the migrations, in which a schema's line may read otherwise. So the schemas take their place.
const baseline = await (await load('supabase/generate/baseline.ts')).readBaseline()

const outcomes = { dies: [], lives: [], slow: [] }
for (const change of tried) {
  const started = Date.now()
  const outcome = attempt(change)
  outcomes[outcome.split(':')[0]].push(change.number)
  const took = ((Date.now() - started) / 1000).toFixed(0)
  console.log(`${took.padStart(4)} s  ${describe(change)}\n          ${outcome}`)
}
const { dies, lives, slow } = outcomes
console.log(
  `\n${dies.length} of ${tried.length} die; living: ${lives.join(', ') || 'none'}; too slow: ${slow.join(', ') || 'none'}`,
)
process.exit(dies.length === tried.length ? 0 : 1)

/** Picks a random place in the source and its replacement. */
function choose(part) {
  for (;;) {
    const path = PARTS[part][Math.floor(random() * PARTS[part].length)]
    const lines = read(path).split('\n')
    const at = Math.floor(random() * lines.length)
    const [pattern, become] = CHANGES[part][Math.floor(random() * CHANGES[part].length)]
    const line = lines[at]
    if (COMMENT.test(line) || /^\s*(grant|revoke|comment|create (trigger|index|policy))/.test(line)) continue
    const [found] = line.matchAll(pattern)
    if (!found) continue
    const now = line.slice(0, found.index) + become(found[0]) + line.slice(found.index + found[0].length)
    return { path, at, line, now }
  }
}

function attempt(change) {
  const { path } = change
  const whole = read(path)
  const mutant = whole.split('\n').with(change.at, change.now).join('\n')
  const [first, ...others] = migrations
  const changed =
    change.part === 'sql'
      ? {
          [first]: baseline.replace(whole, () => mutant),
          ...Object.fromEntries(others.map((file) => [file, ''])),
        }
      : { [path]: mutant }
  const before = Object.keys(changed).map((file) => [file, read(file)])
  const write = ([file, text]) => writeFileSync(join(ROOT, file), text)
  Object.entries(changed).forEach(write)
  try {
    const files = related(change)
    const options = [
      '--bail=1',
      '--reporter=dot',
      '--experimental.fsModuleCache',
      ...projectsOf(change, files),
    ]
    const { pid, status, error, stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...options, ...files],
      {
        cwd: ROOT,
        detached: true,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
        timeout: PATIENCE_S * 1000,
        killSignal: 'SIGKILL',
      },
    )
    // With its workers and its Postgres, which a change may keep busy for ever.
    if (error) process.kill(-pid, 'SIGKILL')
    if (status === 0) return 'lives'
    const said = stdout + stderr
    // On a busy machine a test that takes too long has found nothing.
    if (error || /timed out in \d+ms/.test(said)) return 'slow'
    return `dies: ${/FAIL +(.*)/.exec(said)?.[1] ?? 'at the start'}`
  } finally {
    before.forEach(write)
  }
}

function projectsOf({ part }, files) {
  const names = { sql: ['database'], server: ['server', 'database', 'deep'], web: ['unit', 'screens'] }[part]
  // Tests of the embedded database's folder run on PGlite alone.
  if (files.some((file) => file.endsWith('/data-folder.test.ts'))) return ['--project=on PGlite']
  return names.map((name) => `--project=${name}`)
}

/** Returns the test files that mention the changed code, most relevant first. */
function related({ part, path, at }) {
  const words = [...(part === 'sql' ? sqlWords(path, at) : codeWords(path, part)), ...wordsNear(path, at)]
  const folders = {
    sql: /^supabase\/tests\//,
    server: /^(server|supabase\/tests)\//,
    web: /^web\//,
  }
  const scores = new Map()
  for (const { word, weight } of words) {
    const near = tests.filter((test) => folders[part].test(test.path))
    const saying = near.filter((test) => test.text.includes(word) && (weight >= 100 || !DEEP.test(test.path)))
    // A word of few test files says more about them than a common one.
    for (const { path: test } of saying) scores.set(test, (scores.get(test) ?? 0) + weight / saying.length)
    for (const { path: test } of near)
      if (`-${basename(test)}`.includes(`-${word}`)) scores.set(test, (scores.get(test) ?? 0) + weight)
  }
  return [...scores]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_FILES[part])
    .map(([test]) => test)
}

/** Returns the names with an underscore and the quoted texts in the five lines around the change. */
function wordsNear(path, at) {
  const near = read(path)
    .split('\n')
    .slice(Math.max(0, at - 2), at + 3)
    .join('\n')
  const found = near.matchAll(/(?<![.\w])(?![pv]_)[a-z]+(?:_[a-z]+)+\b|(?<=['"`>])[^'"`<>$]{5,}(?=['"`<])/g)
  return [...new Set([...found].map(([word]) => word))].map((word) => ({ word, weight: 6 }))
}

/** Returns the function or table around the change, its callers, and the name of the file. */
function sqlWords(path, at) {
  const made = /create (?:or replace )?(?:function|table|view|procedure)(?: if not exists)? (?:\w+\.)?(\w+)/
  const nameOf = (body) => made.exec(body)?.[1] ?? /^create trigger .*? on (?:\w+\.)?(\w+)/s.exec(body)?.[1]
  const bodies = PARTS.sql.flatMap((file) => read(file).split(/(?=^create )/m))
  const own = read(path)
    .split('\n')
    .slice(0, at + 1)
    .findLast((line) => made.test(line))
  const file = basename(path, '.sql')
  const words = [
    { word: file, weight: 10 },
    { word: file.replaceAll('_', '-'), weight: 10 },
  ]
  const known = new Set()
  let names = [nameOf(own ?? '') ?? file]
  for (const weight of [100, 30, 10, 3]) {
    for (const word of names) known.add(word)
    words.push(...names.map((word) => ({ word, weight })))
    const called = new RegExp(`\\b(?:${names.join('|')})\\b`)
    names = [...new Set(bodies.filter((body) => called.test(body)).map(nameOf))].filter(
      (name) => name !== undefined && !known.has(name),
    )
    if (names.length === 0) break
  }
  return words
}

/** Returns words of the file's path, and the screen texts in the file and in files that import it. */
function codeWords(path, part) {
  const name = basename(path).replace(/\.tsx?$/, '')
  const words = [
    { word: `${name}.test`, weight: 100 },
    { word: `/${basename(path)}'`, weight: 100 },
    { word: name, weight: 30 },
    { word: name.replace(/\..*/, ''), weight: 10 },
    ...dirname(path)
      .split(/\/[-_]?/)
      .slice(2)
      .map((word) => ({ word, weight: 10 })),
  ]
  for (let [level, files] = [0, [path]]; level < 3; level += 1) {
    const said = files.flatMap((file) => [
      ...(level > 0 ? [basename(file).replace(/\..*/, '')] : []),
      ...[...read(file).matchAll(/['">]([A-Z][a-z]+(?: [a-z]+)+[^'"<{]*)['"<{]/g)].map(([, text]) => text),
    ])
    words.push(...[...new Set(said)].map((word) => ({ word, weight: [5, 2, 0.2][level] })))
    files = PARTS[part].filter(
      (file) =>
        files.some((used) => read(file).includes(`/${basename(used)}'`)) ||
        (level === 1 && dirname(file) === dirname(path)),
    )
  }
  return words
}

function describe({ number, path, at, line, now }) {
  return `${number}. ${path}:${at + 1}\n          - ${line.trim()}\n          + ${now.trim()}`
}
