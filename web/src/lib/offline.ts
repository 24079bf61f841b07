import { dehydrate, hydrate, type Query, type QueryClient } from '@tanstack/react-query'
import { clear, createStore, delMany, entries, set } from 'idb-keyval'
import { isRestored } from './loaded-at.ts'
import { currentSession, keptUserId, onSession } from './session.ts'

/** Stored data is used only by the build that stored it, since another build may expect a different shape. */
interface Seen {
  build: string
  userId: string
  query: ReturnType<typeof dehydrate>['queries'][number]
}

const BUILD = import.meta.url
/** How long data is kept, in ms. */
const LONGEST = 30 * 24 * 60 * 60_000
const seen = createStore('potluck', 'seen')
/** The last operation on the store; they run one after the other. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Stores the app and the data that the signed-in person sees, for the next visit and for use without a connection.
 * Resolves once the data that this person saw last is in the cache, where it is stale until it has been loaded again.
 */
export async function preferKept(cache: QueryClient): Promise<void> {
  // The session may still be loading, so the stored one says whose data to restore.
  const restored = keptUserId()
  cache.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') keep(cache, event.query)
  })
  let owner: string | undefined
  const follow = () => {
    if (currentSession().status === 'loading') return
    const person = signedIn()
    if (person !== restored) cache.removeQueries({ predicate: isRestored })
    if (!person) void inTurn(() => clear(seen))
    else if (person !== owner) void inTurn(() => forgetUnless(({ userId }) => userId === person))
    if (person) keepApp()
    owner = person
  }
  follow()
  onSession(follow)
  window.addEventListener('offline', () => inTurn(() => bringBack(cache, signedIn())))
  await inTurn(() => bringBack(cache, restored))
}

function keep(cache: QueryClient, { queryHash, meta }: Query): void {
  const userId = signedIn()
  if (!meta?.seen || !userId) return
  const { queries } = dehydrate(cache, { shouldDehydrateQuery: (one) => one.queryHash === queryHash })
  const [query] = queries
  if (query)
    void inTurn(async () => {
      if (signedIn() === userId) await set(queryHash, { build: BUILD, userId, query } satisfies Seen, seen)
    })
}

async function bringBack(cache: QueryClient, person: string | undefined): Promise<void> {
  if (!person) return
  const isUsable = ({ build, userId, query: { state } }: Seen) =>
    build === BUILD && userId === person && state.dataUpdatedAt > Date.now() - LONGEST
  const isStillTheirs = () => currentSession().status === 'loading' || signedIn() === person
  const queries = (await forgetUnless(isUsable)).map(({ query }) => ({
    ...query,
    // Changes since then were missed, however short the time.
    state: { ...query.state, isInvalidated: true },
  }))
  // Restored data must not be dropped while it may still be shown.
  if (isStillTheirs())
    hydrate(cache, { queries, mutations: [] }, { defaultOptions: { queries: { gcTime: Infinity } } })
}

/** Deletes stored data that is no longer valid, and returns the rest. */
async function forgetUnless(holds: (one: Seen) => boolean): Promise<Seen[]> {
  const kept = await entries<string, Seen>(seen)
  const over = kept.filter(([, one]) => !holds(one))
  await delMany(
    over.map(([key]) => key),
    seen,
  )
  return kept.map(([, one]) => one).filter(holds)
}

/** Runs operations on the store one after the other. Errors are ignored: some browsers refuse storage. */
function inTurn(act: () => Promise<unknown>): Promise<unknown> {
  last = last.then(act).catch(() => undefined)
  return last
}

function signedIn(): string | undefined {
  const state = currentSession()
  return state.status === 'signed-in' ? state.user.id : undefined
}

let kept = false

/** Registers the service worker, which caches the app's files, once the page has settled. */
function keepApp(): void {
  if (kept || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  kept = true
  setTimeout(() => {
    // The connection may be gone by now. The next page load tries again.
    navigator.serviceWorker.register('/sw.js').catch(() => {
      kept = false
    })
  }, 3000)
}
