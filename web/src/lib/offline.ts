import { dehydrate, hydrate, type Query, type QueryClient } from '@tanstack/react-query'
import { clear, createStore, delMany, entries, set } from 'idb-keyval'
import { isOnline } from './online.ts'
import { currentSession, onSession } from './session.ts'

/** Each is of one build: another may expect data of another shape. */
interface Seen {
  build: string
  userId: string
  query: ReturnType<typeof dehydrate>['queries'][number]
}

const BUILD = import.meta.url
/** How long it is kept, in ms. */
const LONGEST = 30 * 24 * 60 * 60_000
const seen = createStore('potluck', 'seen')
/** Whatever is done with the store, one after the other. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Keeps what the signed-in person sees, for when there is no connection, and the app itself; both for as long as somebody
 * is signed in. Resolves once what was kept is back in the cache, where there is none now.
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
  // It stays for as long as it may be looked at.
  hydrate(cache, { queries, mutations: [] }, { defaultOptions: { queries: { gcTime: Infinity } } })
}

/** Keeps what holds, and gives it. */
async function forgetUnless(holds: (one: Seen) => boolean): Promise<Seen[]> {
  const kept = await entries<string, Seen>(seen)
  const over = kept.filter(([, one]) => !holds(one))
  await delMany(
    over.map(([key]) => key),
    seen,
  )
  return kept.map(([, one]) => one).filter(holds)
}

/** A browser that refuses storage simply remembers nothing. */
function inTurn(act: () => Promise<unknown>): Promise<unknown> {
  last = last.then(act).catch(() => undefined)
  return last
}

function signedIn(): string | undefined {
  const state = currentSession()
  return state.status === 'signed-in' ? state.user.id : undefined
}

let kept = false

/** Has the service worker keep what the app is made of, once the page is at rest. */
function keepApp(): void {
  if (kept || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  kept = true
  setTimeout(() => {
    // The connection may be gone by now. Whoever loads the next page tries again.
    navigator.serviceWorker.register('/sw.js').catch(() => {
      kept = false
    })
  }, 3000)
}
