// Which modules of the app go into one file. Bundlers make a file of everything that the same pages share, which is a hundred requests
// for a page; on a slow line each of them costs more than its contents.
import { basename, dirname, join, relative } from 'node:path'
import type { Plugin, PluginOption, Rolldown } from 'vite'
import { firstBuild } from './first-build.ts'
import { firstSights } from './pages.ts'
import { reach } from './reach.ts'

const WEB = join(import.meta.dirname, '..')
const LANDING = join(WEB, 'index.html')
const MAIN = join(WEB, 'src/main.tsx')
/** Of every file that loads others, in a build for browsers. */
const PRELOAD = '\0vite/preload-helper.js'

const sources = (...names: string[]) => names.map((name) => join(WEB, 'src', name))
const routes = (of: string) =>
  Object.values(firstSights).flatMap((page) =>
    page?.visit === of ? sources(`routes/_shell/${page.route}.tsx`) : [],
  )
/** What the app loads by itself when it is needed, by who needs it. The build fails if one is not loaded like this any more. */
const LOADED = {
  /** With the app, by everybody. */
  always: sources('routes/_shell.tsx', 'lib/offline.ts'),
  /** By everybody who is connected to the backend. */
  connected: [
    ...sources('ui/ToastStack.tsx', 'features/account/auth/arrival.ts'),
    join(WEB, '../node_modules/@supabase/supabase-js/dist/index.mjs'),
  ],
  /** By signed-in people, whatever they open. */
  allMembers: sources(
    'routes/-shell/SignedInTools.tsx',
    'routes/-shell/QuickActions.tsx',
    'routes/_shell/_signed-in.tsx',
  ),
  /** By the pages that they open first, which these are part of. */
  members: [
    ...sources('features/account/notifications/MomentCard.tsx', 'features/trust/reviews/ReviewsToWrite.tsx'),
    ...routes('first'),
  ],
  wayIn: routes('way in'),
  strangers: routes('strangers'),
}
/** What everybody opens whose plan it is: an owner, a member. */
const VIEWS_OF_PLAN = sources('routes/_shell/-plan/OwnerView.tsx', 'routes/_shell/-plan/MemberView.tsx')
/** No more pages than this, and it is theirs. */
const FEW = 8
/** As many pages as this, and nearly everybody needs it. */
const MOST = 24

/** Puts modules into files by who needs them; `plugins` are those that make the same modules of the sources. */
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
  const { chunks } = await firstBuild(plugins)
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const users = new Map(chunks.map((chunk) => [chunk, new Set<string>()]))
  for (const chunk of chunks) {
    const user = chunk.facadeModuleId ?? chunk.moduleIds.at(-1)
    // What draws the pages is not in them.
    if (!user || user.startsWith(import.meta.dirname) || !(chunk.isEntry || chunk.isDynamicEntry)) continue
    const load = ({ imports }: Rolldown.OutputChunk) => imports.flatMap((name) => byName.get(name) ?? [])
    for (const part of reach([chunk], load)) users.get(part)?.add(user)
  }
  requireLoaded(new Set([...users.values()].flatMap((ids) => [...ids].map(fileOf))))
  const files = [...users].flatMap(([{ moduleIds }, ids]) => {
    const file = chunkFor([...ids])
    // A page waits for its style sheets, so for one rather than five.
    return file ? moduleIds.map((id) => [id, id.endsWith('.css') ? 'app' : file] as const) : []
  })
  return new Map([...files, [PRELOAD, 'app']])
}

/** Of a module that may be a part of a route, such as its loader. */
const fileOf = (id: string) => id.replace(/\?.*$/, '')

function requireLoaded(loaded: Set<string>): void {
  for (const file of [...Object.values(LOADED).flat(), ...VIEWS_OF_PLAN])
    if (!loaded.has(file))
      throw new Error(`The app does not load ${relative(WEB, file)} by itself: build/chunks.ts names it`)
}

function chunkFor(users: string[]): string | undefined {
  const areFor = (named: string[]) => users.some((user) => named.includes(fileOf(user)))
  if (users.length === 0) return undefined
  const isShared = users.length > 1
  if (users.includes(MAIN)) return 'app'
  if (users.every((user) => LOADED.connected.includes(fileOf(user)))) return 'connected'
  // What asks for the data of these.
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
  return users.length <= FEW && VIEWS_OF_PLAN.every((view) => areFor([view])) ? 'plan' : undefined
}
