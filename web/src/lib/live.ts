import { useDebouncedCallback } from '@mantine/hooks'
import type { Database } from '@potluck/supabase/types'
import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type BrowserEvents, listen } from './events.ts'
import { reloadPaced } from './query.ts'
import { siteAnswers } from './site.ts'
import { supabase } from './supabase.ts'

type Tables = Database['public']['Tables']

/** A table change, as far as row-level security shows it to the person; a deleted row contains only its key. */
export type Change<Table extends keyof Tables = keyof Tables> = {
  [Name in Table]: RealtimePostgresChangesPayload<Tables[Name]['Row']> & { table: Name }
}[Table]

interface Watch<Table extends keyof Tables> {
  table: Table
  /** Realtime filter such as `user_id=eq.…`. */
  filter?: string
  event?: 'INSERT' | 'UPDATE' | 'DELETE'
}

/** When to reload: immediately, or together with other reloads within `soon` ms. */
type When = 'now' | 'soon'

interface LiveOptions<Table extends keyof Tables> {
  /** The queries to keep current. They reload if a change lacks data, and whenever changes may have been missed. */
  keys: QueryKey[]
  /**
   * Applies a change. Returns 'put' if it is now in the cache, true if there is nothing to do, and false if everything
   * has to be reloaded.
   */
  use?: (change: Change<Table>) => 'put' | boolean
  /** The time for which reloads are collected, in ms. */
  soon?: number
  /** Browser events that reload the queries, and when. */
  on?: Partial<Record<keyof BrowserEvents, When>>
}

/**
 * Keeps queries current while a component is mounted: reloads them on table changes and browser events. `watches` and
 * `on` are compared by content. Returns two functions that reload: immediately, or after collecting for `soon` ms.
 */
export function useLive<Table extends keyof Tables & string>(
  topic: string,
  watches: Watch<Table>[],
  { keys, use = () => false, soon = 500, on = {} }: LiveOptions<Table>,
) {
  const cache = useQueryClient()
  const later = useDebouncedCallback(
    () => {
      for (const key of keys) reloadPaced(cache, key)
    },
    { delay: soon, maxWait: 3 * soon },
  )
  const now = () => {
    for (const queryKey of keys) void cache.invalidateQueries({ queryKey })
  }
  const onChange = useEffectEvent((change: Change<Table>) => {
    const used = use(change)
    // A load that began before the change may not include it, and would overwrite the change in the cache.
    const mayBeLost = used === 'put' && keys.some((queryKey) => cache.isFetching({ queryKey }) > 0)
    if (!used || mayBeLost) later()
  })
  const onEvent = useEffectEvent((when: When) => (when === 'now' ? now() : later()))

  const wanted = JSON.stringify({ watches, events: Object.entries(on) })
  useEffect(() => {
    const { watches, events }: { watches: Watch<Table>[]; events: [keyof BrowserEvents, When][] } =
      JSON.parse(wanted)
    const stops = [
      watchTables(topic, watches, (change) => onChange(change), later),
      ...events.map(([name, when]) => listen(name, () => onEvent(when))),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [topic, wanted, later])
  return { soon: later, now }
}

/**
 * Subscribes to one channel. `onJoined` is called on every join, since changes before the join were missed. Returns a
 * function that ends the subscription.
 */
function watchTables<Table extends keyof Tables & string>(
  topic: string,
  watches: Watch<Table>[],
  onChange: (change: Change<Table>) => void,
  onJoined: () => void,
): () => void {
  let stopped = false
  let channel: RealtimeChannel | undefined

  const start = async () => {
    // A channel joined before the stored session is read stays anonymous and never receives anything.
    await supabase().auth.getSession()
    if (stopped) return
    channel = supabase().channel(freeTopic(topic))
    for (const { event, ...wanted } of watches)
      channel.on(
        'postgres_changes',
        { event: (event ?? '*') as '*', schema: 'public', ...wanted },
        (change) => onChange(change as unknown as Change<Table>),
      )
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') onJoined()
      // Any other status may mean that the server has stopped. The socket notices this before any request fails.
      else if (!stopped) void siteAnswers()
    })
  }
  void start()

  return () => {
    stopped = true
    if (channel) void supabase().removeChannel(channel)
  }
}

/**
 * The client has one channel per name, even while it is joining or leaving, so a second listener needs another name.
 */
function freeTopic(topic: string): string {
  const taken = new Set(
    supabase()
      .getChannels()
      .map((channel) => channel.topic),
  )
  let name = topic
  for (let next = 2; taken.has(`realtime:${name}`); next += 1) name = `${topic}-${next}`
  return name
}
