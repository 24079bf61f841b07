import { dehydrate, hydrate, type Query, type QueryClient } from '@tanstack/react-query'
import { clear, createStore, delMany, entries, set } from 'idb-keyval'
import { currentSession, onSession } from './session.ts'
import { isOnline } from './site.ts'

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
 * Stores the app and the data that the signed-in person sees, for use without a connection. If there is no connection
 * now, resolves once the stored data is in the cache.
 */
export async function preferKept(cache: QueryClient): Promise<void> {
  cache.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') keep(cache, event.query)
  })
  let owner: string | undefined
  const follow = () => {
    if (currentSession().status === 'loading') return
    const person = signedIn()
    if (!person) void inTurn(() => clear(seen))
    else if (person !== owner) void inTurn(() => forgetUnless(({ userId }) => userId === person))
    if (person) keepApp()
    owner = person
  }
  follow()
  onSession(follow)
  window.addEventListener('offline', () => inTurn(() => bringBack(cache)))
  if (!isOnline()) await inTurn(() => bringBack(cache))
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

async function bringBack(cache: QueryClient): Promise<void> {
  const person = signedIn()
  const isUsable = ({ build, userId, query: { state } }: Seen) =>
    build === BUILD && userId === person && state.dataUpdatedAt > Date.now() - LONGEST
  const queries = (await forgetUnless(isUsable)).map(({ query }) => query)
  // Restored data must not be dropped while it may still be shown.
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
