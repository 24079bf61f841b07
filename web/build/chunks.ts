// Decides which modules of the app share a file. By itself, the bundler makes one file for each set of modules that the
// same pages load. A page would then need a hundred requests, each of which costs more on a slow line than its contents.
import { basename, join, relative } from 'node:path'
import type { Plugin, PluginOption, Rolldown } from 'vite'
import { firstBuild, LANDING_SCRIPT } from './first-build.ts'
import { type Part, setParts } from './language/parts.ts'
import { firstSights } from './pages.ts'
import { reach } from './reach.ts'

const WEB = join(import.meta.dirname, '..')
const LANDING = join(WEB, 'index.html')
const MAIN = join(WEB, 'src/main.tsx')
/** Vite's helper for dynamic imports, which only a build for browsers contains. */
const PRELOAD = '\0vite/preload-helper.js'

const sources = (...names: string[]) => names.map((name) => join(WEB, 'src', name))
const routes = (of: string) =>
  Object.values(firstSights).flatMap((page) =>
    page?.visit === of ? sources(`routes/_shell/${page.route}.tsx`) : [],
  )
/** Dynamically imported modules, by the people who load them. The build fails if one is not imported dynamically. */
const LOADED = {
  /** For everybody, together with the app. */
  always: sources('routes/_shell.tsx', 'lib/offline.ts'),
  /** For everybody, once connected to the backend. */
  connected: [
    ...sources('ui/ToastStack.tsx', 'features/account/auth/arrival.ts'),
    join(WEB, '../node_modules/@supabase/supabase-js/dist/index.mjs'),
  ],
  /** For signed-in people, on every page. */
  allMembers: sources(
    'routes/-shell/SignedInTools.tsx',
    'routes/-shell/QuickActions.tsx',
    'routes/_shell/_signed-in.tsx',
  ),
  /** For signed-in people: the pages that they open first, and parts of those pages. */
  members: [
    ...sources('features/account/notifications/MomentCard.tsx', 'features/trust/reviews/ReviewsToWrite.tsx'),
    ...routes('first'),
  ],
  wayIn: routes('way in'),
  strangers: routes('strangers'),
  sharing: routes('sharing'),
}
const [REFUSALS] = sources('lib/refusals.gen.ts')
const STAFF = /\/(?:_staff|features\/staff|routes\/-admin)[/.]/
/** A plan's page for its owner and for a member. */
const VIEWS_OF_PLAN = sources('routes/_shell/-plan/OwnerView.tsx', 'routes/_shell/-plan/MemberView.tsx')
/** Modules of both VIEWS_OF_PLAN go into the file `plan` if at most this many dynamic imports load them. */
const FEW = 8
/** Modules go into the file `shared` if at least this many dynamic imports load them. */
const MOST = 24

/** Puts modules into files by who loads them. `plugins` compile our sources; the first build needs the same plugins. */
export function chunks(plugins: () => PluginOption): Plugin {
  return {
    name: 'potluck:chunks',
    apply: 'build',
    async config() {
      const files = await filesOfModules(plugins())
      let landing: Set<string> | undefined
      const name = (id: string, modules: Pick<Rolldown.PluginContext, 'getModuleInfo'>) => {
        landing ??= reach([LANDING], (module) => modules.getModuleInfo(module)?.importedIds ?? [])
        return landing.has(id) ? (files.has(id) ? 'both' : null) : (files.get(id) ?? null)
      }
      const groups = [{ name, debugName: 'by use', includeDependenciesRecursively: false }]
      return { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } }
    },
    // The hash in a file's name covers its code before withoutFacades() changes it, so this text marks the change.
    augmentChunkHash: () => 'without facades',
    // Runs before Vite lists the files to preload for each dynamic import.
    generateBundle: { order: 'pre', handler: (_options, bundle) => withoutFacades(bundle) },
  }
}

const FACADE = /^export\{([^}]+)\}from["'`]\.\/([^"'`]+)["'`];?\s*(?:\/\/# sourceMappingURL=.*\s*)?$/
/** A dynamic import of a file beside the importing one. */
const IMPORT = /import\((["'`])\.\/([^"'`]+)\1\)/g

/**
 * Removes facades. If a dynamically imported module shares a file with others, the bundler adds a file that only
 * re-exports it (a facade): one more request, which delays the next. The imports load the shared file instead.
 */
function withoutFacades(bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const imported = new Set(chunks.flatMap(({ imports }) => imports))
  /** What is imported instead of each facade. */
  const whole = new Map<string, string>()
  for (const facade of chunks) {
    const [, names = '', file] = FACADE.exec(facade.code) ?? []
    if (!file || facade.isEntry || imported.has(facade.fileName)) continue
    const taken = names.split(',').map((name) => {
      const [there = '', here = there] = name.split(' as ')
      return `${here}:m.${there}`
    })
    whole.set(basename(facade.fileName), `import("./${basename(file)}").then(m=>({${taken.join()}}))`)
    delete bundle[facade.fileName]
  }
  for (const chunk of chunks)
    chunk.code = chunk.code.replaceAll(IMPORT, (all, _quote, file) => whole.get(file) ?? all)
}

/** Returns the name of the file for each module id. For a module that is missing in the map, the bundler decides. */
async function filesOfModules(plugins: PluginOption): Promise<Map<string, string>> {
  const { chunks } = await firstBuild(plugins)
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const users = new Map(chunks.map((chunk) => [chunk, new Set<string>()]))
  const load = ({ imports }: Rolldown.OutputChunk) => imports.flatMap((name) => byName.get(name) ?? [])
  const landing = reach(
    chunks.filter(({ facadeModuleId }) => facadeModuleId === LANDING_SCRIPT),
    load,
  )
  for (const chunk of chunks) {
    const user = chunk.facadeModuleId ?? chunk.moduleIds.at(-1)
    // The modules in this folder only draw the pages: no page loads them.
    if (
      !user ||
      user === LANDING_SCRIPT ||
      user.startsWith(import.meta.dirname) ||
      !(chunk.isEntry || chunk.isDynamicEntry)
    )
      continue
    for (const part of reach([chunk], load)) users.get(part)?.add(user)
  }
  setParts(
    new Map(
      [...users].flatMap(([chunk, ids]) => {
        const part = landing.has(chunk) ? 'everybody' : partFor([...ids])
        return chunk.moduleIds.map((id) => [id, part] as const)
      }),
    ),
  )
  requireLoaded(new Set([...users.values()].flatMap((ids) => [...ids].map(fileOf))))
  const files = [...users].flatMap(([{ moduleIds }, ids]) => {
    const file = chunkFor([...ids])
    // A page waits for all its style sheets, so they share one file instead of five.
    return file ? moduleIds.map((id) => [id, id.endsWith('.css') ? 'app' : file] as const) : []
  })
  return new Map([...files, [PRELOAD, 'app']])
}

/** The source file of a module. The parts of a route, such as its loader, are modules with a query in their id. */
const fileOf = (id: string) => id.replace(/\?.*$/, '')

function requireLoaded(loaded: Set<string>): void {
  for (const file of [...Object.values(LOADED).flat(), ...VIEWS_OF_PLAN])
    if (!loaded.has(file))
      throw new Error(`The app does not load ${relative(WEB, file)} by itself: build/chunks.ts names it`)
}

/** The part of the texts that modules need which `users` load. */
function partFor(users: string[]): Part {
  const areFor = (...named: string[][]) => users.some((user) => named.flat().includes(fileOf(user)))
  const isForVisitors = areFor(LOADED.wayIn, LOADED.strangers)
  const isForMembers = areFor(LOADED.allMembers, LOADED.members)
  if (users.length === 0 || users.includes(MAIN) || areFor(LOADED.always, LOADED.connected))
    return 'everybody'
  if (isForVisitors) return isForMembers ? 'everybody' : 'visitors'
  if (isForMembers) return 'members'
  if (users.every((user) => user === REFUSALS)) return 'refusals'
  return users.every((user) => STAFF.test(user)) ? 'staff' : 'later'
}

function chunkFor(users: string[]): string | undefined {
  const areFor = (named: string[]) => users.some((user) => named.includes(fileOf(user)))
  if (users.length === 0) return undefined
  const isShared = users.length > 1
  if (users.includes(MAIN)) return 'app'
  if (users.every((user) => LOADED.connected.includes(fileOf(user)))) return 'connected'
  // Loaders of the pages that signed-in people open first. They request the data of these pages.
  if (users.some((user) => user.endsWith('?tsr-split=loader') && LOADED.members.includes(fileOf(user))))
    return 'asking'
  const isMembers = areFor(LOADED.allMembers) || (isShared && areFor(LOADED.members))
  const isWayIn = isShared && areFor(LOADED.wayIn)
  if (
    areFor(LOADED.always) ||
    areFor(LOADED.connected) ||
    users.length >= MOST ||
    (isMembers && (isWayIn || areFor(LOADED.strangers)))
  )
    return 'shared'
  if (isMembers) return 'members'
  if (isWayIn) return 'way-in'
  if (isShared && areFor(LOADED.sharing)) return 'sharing'
  return users.length <= FEW && VIEWS_OF_PLAN.every((view) => areFor([view])) ? 'plan' : undefined
}
