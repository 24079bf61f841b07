// Which modules of the app go into one file. Bundlers make a file of everything that the same pages share, which is a hundred requests
// for a page; on a slow line each of them costs more than its contents.
import { basename, dirname, join } from 'node:path'
import type { Plugin, PluginOption, Rolldown } from 'vite'
import { isOfLanding } from '../landing/plugin.ts'
import { firstBuild } from './first-build.ts'

/** Of every file that loads others, in a build for browsers. */
const PRELOAD = '\0vite/preload-helper.js'
/** What draws the pages is not in them. */
const DRAWS = /\/first-sight\//
/** Loaded with the app, for whomever. */
const ALWAYS = /\/(routes\/_shell\.tsx\?|lib\/offline\.ts)/
/** Loaded for whoever is connected to the backend, beside its client. */
const CONNECTED = /\/(ToastStack\.tsx|arrival\.ts|node_modules\/@supabase\/)/
/** What signed-in people load whatever they open. */
const ALL_MEMBERS = /\/(SignedInTools\.tsx|QuickActions\.tsx|routes\/_shell\/_signed-in\.tsx\?)/
/** The pages they open first, with what these load at once. */
const MEMBERS =
  /\/(HomeScreen|MomentCard|ReviewsToWrite)\.tsx|\/(_shell\/index|my-subscriptions|payments\.index|available-subscriptions)\.tsx\?/
/** What asks for the data of these. */
const ASKING = new RegExp(`(${MEMBERS.source}).*tsr-split=loader`)
/** The pages on which visitors become members. */
const WAY_IN = /\/(sign-?in|sign-?up|reset-password)\.tsx\?/
/** What else strangers are led to. */
const STRANGERS = /\/(about|help|plans\.index|plans\.\$planId)\.tsx\?/
/** What everybody opens whose plan it is: an owner, a member. */
const VIEWS_OF_PLAN = [/\/OwnerView\.tsx/, /\/MemberView\.tsx/]
/** No more pages than this, and it is theirs. */
const FEW = 8
/** As many pages as this, and nearly everybody needs it. */
const MOST = 24

/** Puts modules into files by who needs them; `plugins` are those that make the same modules of the sources. */
export function fewFiles(plugins: () => PluginOption): Plugin {
  return {
    name: 'potluck:few-files',
    apply: 'build',
    async config() {
      const files = await filesOfModules(plugins())
      const name = (id: string, modules: Pick<Rolldown.PluginContext, 'getModuleInfo'>) =>
        isOfLanding(id, modules) ? (files.has(id) ? 'both' : null) : (files.get(id) ?? null)
      const groups = [{ name, debugName: 'by use', includeDependenciesRecursively: false }]
      return { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } }
    },
    // Files are named by what is in them before that is taken out.
    augmentChunkHash: () => 'without facades',
    // Before Vite lists what each import loads.
    generateBundle: { order: 'pre', handler: (_options, bundle) => withoutFacades(bundle) },
  }
}

const FACADE = /^export\{([^}]+)\}from["'`]\.\/([^"'`]+)["'`];?\s*(?:\/\/# sourceMappingURL=.*\s*)?$/

/**
 * A module that is loaded when needed and stands in a file with others has a file of its own that only names it there: one more
 * request, and one after the other. What is loaded instead is the file that has it.
 */
function withoutFacades(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  for (const facade of chunks) {
    const [, names = '', file] = FACADE.exec(facade.code) ?? []
    const isNeeded = facade.isEntry || chunks.some(({ imports }) => imports.includes(facade.fileName))
    if (!file || isNeeded) continue
    const taken = names.split(',').map((name) => {
      const [there = '', here = there] = name.split(' as ')
      return `${here}:m.${there}`
    })
    const [own, whole] = [facade.fileName, join(dirname(facade.fileName), file)].map((path) => basename(path))
    for (const chunk of chunks)
      chunk.code = chunk.code.replaceAll(
        new RegExp(`import\\((["'\`])\\./${own?.replaceAll('.', '\\.')}\\1\\)`, 'g'),
        () => `import("./${whole}").then(m=>({${taken.join()}}))`,
      )
    delete bundle[facade.fileName]
  }
}

/** By the module's id, where the bundler does not decide. */
async function filesOfModules(plugins: PluginOption): Promise<Map<string, string>> {
  const { chunks: all } = await firstBuild(plugins)
  const chunks = new Map(all.map((chunk) => [chunk.fileName, chunk]))
  const users = new Map<string, Set<string>>()
  for (const chunk of chunks.values()) {
    const user = chunk.facadeModuleId ?? chunk.moduleIds.at(-1)
    if (user && !DRAWS.test(user) && (chunk.isEntry || chunk.isDynamicEntry))
      addUser(user, chunk, { chunks, users })
  }
  const files = [...chunks.values()].flatMap(({ moduleIds, fileName }) => {
    const file = fileFor([...(users.get(fileName) ?? [])])
    // A page waits for its style sheets, so for one rather than five.
    return file ? moduleIds.map((id) => [id, id.endsWith('.css') ? 'app' : file] as const) : []
  })
  return new Map([...files, [PRELOAD, 'app']])
}

interface Found {
  chunks: Map<string, Rolldown.OutputChunk>
  users: Map<string, Set<string>>
}

function addUser(user: string, { fileName, imports }: Rolldown.OutputChunk, found: Found): void {
  const known = found.users.get(fileName) ?? new Set()
  if (known.has(user)) return
  found.users.set(fileName, known.add(user))
  for (const name of imports) {
    const next = found.chunks.get(name)
    if (next) addUser(user, next, found)
  }
}

function fileFor(users: string[]): string | undefined {
  const areFor = (pages: RegExp) => users.some((user) => pages.test(user))
  if (users.length === 0) return undefined
  const isShared = users.length > 1
  if (areFor(/\/src\/main\.tsx$/)) return 'app'
  if (users.every((user) => CONNECTED.test(user))) return 'connected'
  if (areFor(ASKING)) return 'asking'
  const isMembers = areFor(ALL_MEMBERS) || (isShared && areFor(MEMBERS))
  const isWayIn = isShared && areFor(WAY_IN)
  if (
    areFor(ALWAYS) ||
    areFor(CONNECTED) ||
    users.length >= MOST ||
    (isMembers && (isWayIn || areFor(STRANGERS)))
  )
    return 'shared'
  if (isMembers) return 'members'
  if (isWayIn) return 'way-in'
  return users.length <= FEW && VIEWS_OF_PLAN.every(areFor) ? 'plan' : undefined
}
