// Checks the order of imports in web/src, and that imports, including lazy ones, form no circle.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { ROOT } from './install.mjs'

/** The folders of web/src/features in order. A file imports only from its own folder and from those before it. */
const ORDER = ['account', 'plans', 'money', 'trust', 'people', 'joining', 'staff', 'home']
/** Folders of `web/src` that features may import, and that import no feature. */
const SHARED = ['domain', 'lib', 'ui']

const SRC = join(ROOT, 'web/src')
const files = readdirSync(SRC, { recursive: true })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(tsx?|css)$/.test(file) && !/\.(test|gen)\.tsx?$/.test(file))

/** Returns the position of a file in the order. A file may not import one with a higher position. */
function rank(file) {
  const [layer, business] = file.split('/')
  if (SHARED.includes(layer)) return -1
  if (layer !== 'features') return ORDER.length
  return ORDER.includes(business) ? ORDER.indexOf(business) : Number.POSITIVE_INFINITY
}

/** Returns the paths that a module or a style sheet imports, as they are written, including those of types. */
function importsIn(file, source) {
  if (file.endsWith('.css'))
    return [...source.matchAll(/(?:@import|\bfrom)\s+(?:url\(\s*)?["']?([#.][^"'\s)]+)/g)].map(
      ([, path]) => path,
    )
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  const found = []
  const note = ({ source: from }) => {
    if (!from) return
    const path = from.type === 'TemplateLiteral' ? from.quasis[0]?.value.cooked : from.value
    if (from.expressions?.length > 0 || typeof path !== 'string')
      throw new Error(`${file} imports a path that is computed: ${source.slice(from.start, from.end)}`)
    found.push(path)
  }
  new Visitor({
    ...{ ImportDeclaration: note, ExportNamedDeclaration: note, ExportAllDeclaration: note },
    ...{ ImportExpression: note, TSImportType: note },
  }).visit(program)
  return found
}

const importsOf = (file) =>
  importsIn(file, readFileSync(join(SRC, file), 'utf8'))
    .filter((path) => /^[#.]/.test(path))
    .map((path) => (path[0] === '#' ? path.slice(1) : join(dirname(file), path).replaceAll('\\', '/')))
const known = new Set(files)
const imports = new Map(files.map((file) => [file, importsOf(file).filter((path) => known.has(path))]))

const faults = [...imports].flatMap(([file, paths]) =>
  paths
    .filter((path) => rank(path) > rank(file))
    .map((path) => `${file} imports ${path}, which comes after it`),
)

/** The imports between the folders of features, which must form no circle either. */
const features = new Map()
for (const [file, paths] of imports) {
  const feature = dirname(file)
  if (feature.startsWith('features/'))
    features.set(feature, [
      ...(features.get(feature) ?? []),
      ...paths.map(dirname).filter((other) => other !== feature && other.startsWith('features/')),
    ])
}

/** Returns the first circle of a graph as the nodes along it, or undefined if there is none. */
function circle(graph) {
  const left = new Set()
  const follow = (node, way) => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node]
    if (left.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const found = follow(next, [...way, node])
      if (found) return found
    }
    left.add(node)
    return null
  }
  return [...graph.keys()].map((node) => follow(node, [])).find(Boolean)
}
for (const graph of [imports, features]) {
  const found = circle(graph)
  if (found) faults.push(`a circle: ${found.join(' → ')}`)
}

for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
