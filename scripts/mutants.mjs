// `npm run mutants -- --seed 7 --count 60`: mutation testing. Makes small wrong changes to the source, chosen by the
// seed, and lists those that no test notices. For each change it runs the tests that mention the changed code, most
// relevant first. The work tree must be clean. `--only 3,17` tries only these changes; `--list` prints them without
// running tests.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstalled, fail, filesUnder, ROOT } from './install.mjs'
import { randomFrom } from './random.mjs'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
/** The maximum number of test files and of seconds per change. */
const MOST_FILES = { sql: 14, server: 10, web: 10 }
const PATIENCE_S = 400

ensureInstalled()
const read = (path) => readFileSync(join(ROOT, path), 'utf8')

const TEST = /\.test\.tsx?$/
const PARTS = {
  sql: filesUnder('supabase/schemas', /\.sql$/),
  server: filesUnder('server/src', /\.ts$/).filter((path) => !TEST.test(path)),
  web: filesUnder('web/src', /(?<!\.gen)\.tsx?$/).filter((path) => !TEST.test(path)),
}
const tests = ['supabase/tests', 'server', 'web']
  .flatMap((folder) => filesUnder(folder, TEST))
  // Tests that fail only because the migration differs from the release or the schemas prove nothing about behaviour.
  .filter((path) => !path.includes('.deep.') && !/\/(releases|schemas)\.test\.ts$/.test(path))
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
  for (const change of tried) console.log(describe(change), related(change).join(' '))
  process.exit()
}
if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).trim() !== '')
  fail('Commit or put away what you have changed first: this command changes the source.')

const living = []
for (const change of tried) {
  const started = Date.now()
  const outcome = attempt(change)
  if (outcome === 'lives') living.push(change.number)
  console.log(
    `${outcome.padEnd(6)} ${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${describe(change)}`,
  )
}
console.log(
  `\n${tried.length - living.length} of ${tried.length} die; living: ${living.join(', ') || 'none'}`,
)
process.exit(living.length === 0 ? 0 : 1)

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
  const { path, at } = change.part === 'sql' ? inMigration(change) : change
  const file = join(ROOT, path)
  const whole = readFileSync(file, 'utf8')
  const lines = whole.split('\n')
  lines[at] = change.now
  writeFileSync(file, lines.join('\n'))
  try {
    const { status, error } = spawnSync(
      'npx',
      [
        '--no-install',
        'vitest',
        'run',
        '--bail=1',
        '--reporter=dot',
        ...projectsOf(change),
        ...related(change),
      ],
      { cwd: ROOT, stdio: 'ignore', timeout: PATIENCE_S * 1000, killSignal: 'SIGKILL' },
    )
    return status === 0 ? 'lives' : error ? 'slow' : 'dies'
  } finally {
    writeFileSync(file, whole)
  }
}

/** Finds the newest migration that contains a schema's line, because tests run on the migrations. */
function inMigration({ path, at, line }) {
  const near = read(path)
    .split('\n')
    .slice(Math.max(0, at - 3), at + 1)
    .join('\n')
  const migration = filesUnder('supabase/migrations', /\.sql$/)
    .sort()
    .findLast((file) => read(file).includes(near))
  if (!migration) fail(`No migration has ${line}: write it first (npm run migration).`)
  const text = read(migration)
  return { path: migration, at: text.slice(0, text.indexOf(near) + near.length).split('\n').length - 1 }
}

function projectsOf({ part }) {
  const names = { sql: ['database'], server: ['server'], web: ['unit', 'screens'] }[part]
  return (process.env.MUTANTS_PROJECTS?.split(',') ?? names).map((name) => `--project=${name}*`)
}

/** Returns the test files that mention the changed code, most relevant first. */
function related({ part, path, at }) {
  const words = part === 'sql' ? sqlWords(path, at) : codeWords(path, part)
  const folder = { sql: 'supabase/tests/', server: 'server/', web: 'web/' }[part]
  return tests
    .filter((test) => test.path.startsWith(folder))
    .map((test) => ({ ...test, score: words.reduce((sum, word) => sum + score(test, word), 0) }))
    .filter((test) => test.score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FILES[part])
    .map((test) => test.path)
}

function score(test, { word, weight }) {
  return (test.text.includes(word) ? weight : 0) + (basename(test.path).includes(word) ? 2 * weight : 0)
}

/** Returns the function or table around the change, its callers, and other names defined in the file. */
function sqlWords(path, at) {
  const made = /create (?:or replace )?(?:function|table|view|procedure)(?: if not exists)? (?:\w+\.)?(\w+)/
  const lines = read(path).split('\n')
  const own = lines.slice(0, at + 1).findLast((line) => made.test(line))
  const name = made.exec(own ?? '')?.[1] ?? basename(path, '.sql').replace(/^\d+_/, '')
  const bodies = PARTS.sql.flatMap((file) => read(file).split(/(?=^create )/m))
  const callers = (called) =>
    bodies
      .filter((body) => new RegExp(`\\b${called}\\b`).test(body))
      .flatMap(
        (body) => made.exec(body)?.[1] ?? /create trigger .*? on (?:\w+\.)?(\w+)/s.exec(body)?.[1] ?? [],
      )
  const once = callers(name)
  const twice = once.flatMap(callers)
  const beside = [...read(path).matchAll(new RegExp(made, 'g'))].map(([, other]) => other)
  const weighed = [
    [[name], 100],
    [once, 10],
    [twice, 2],
    [beside, 3],
  ]
  return weighed.flatMap(([names, weight]) => [...new Set(names)].map((word) => ({ word, weight })))
}

/** Returns words of the file's path, and the screen texts in the file and in files that import it. */
function codeWords(path, part) {
  const name = basename(path).replace(/\.tsx?$/, '')
  const words = [
    { word: `${name}.test`, weight: 100 },
    { word: name, weight: 30 },
    { word: name.replace(/\..*/, ''), weight: 10 },
    { word: basename(dirname(path)).replace(/^-/, ''), weight: 10 },
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
