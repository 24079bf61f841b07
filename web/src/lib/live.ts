import { useDebouncedCallback } from '@mantine/hooks'
import type { Database } from '@potluck/supabase/types'
import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { reloadPaced } from './query.ts'
import { supabase } from './supabase.ts'

type Tables = Database['public']['Tables']

/** A change of a table as row-level security lets the person see it; of a removed row, its key alone. */
export type Change<Table extends keyof Tables = keyof Tables> = {
  [Name in Table]: RealtimePostgresChangesPayload<Tables[Name]['Row']> & { table: Name }
}[Table]

interface Watch<Table extends keyof Tables> {
  table: Table
  /** Realtime filter such as `user_id=eq.…`. */
  filter?: string
  event?: 'INSERT' | 'UPDATE' | 'DELETE'
}

interface LiveOptions<Table extends keyof Tables> {
  /** What is loaded again where a change does not say enough, and whenever changes may have been missed. */
  keys: QueryKey[]
  /**
   * Uses a change. Gives 'put' when it is now in what was loaded, true when there is nothing to do, and false when
   * everything is to be loaded again.
   */
  use?: (change: Change<Table>) => 'put' | boolean
  /** Wishes to load again are collected for this long, in ms. */
  soon?: number
}

/**
 * Follows table changes for as long as a component is on screen. `watches` is compared by content. Gives the ways to
 * load everything again: at once, or soon and once for all who ask.
 */
export function useLive<Table extends keyof Tables & string>(
  topic: string,
  watches: Watch<Table>[],
  { keys, use = () => false, soon = 500 }: LiveOptions<Table>,
) {
  const cache = useQueryClient()
  const later = useDebouncedCallback(
    () => {
      for (const key of keys) reloadPaced(cache, key)
    },
    { delay: soon, maxWait: 3 * soon },
  )
  const onChange = useEffectEvent((change: Change<Table>) => {
    const used = use(change)
    // A load that began before the change may end without it, and would take it away again.
    const mayBeLost = used === 'put' && keys.some((queryKey) => cache.isFetching({ queryKey }) > 0)
    if (!used || mayBeLost) later()
  })

  const wanted = JSON.stringify(watches)
  useEffect(
    () => watchTables(topic, JSON.parse(wanted) as Watch<Table>[], (change) => onChange(change), later),
    [topic, wanted, later],
  )
  return {
    soon: later,
    now: () => {
      for (const queryKey of keys) void cache.invalidateQueries({ queryKey })
    },
  }
}

/** Listens on one channel; `onJoined` tells of every join, before which nothing was heard. Gives the way to stop. */
function watchTables<Table extends keyof Tables & string>(
  topic: string,
  watches: Watch<Table>[],
  onChange: (change: Change<Table>) => void,
  onJoined: () => void,
): () => void {
  let stopped = false
  let channel: RealtimeChannel | undefined

  const start = async () => {
    // A channel joined before the stored session has been read stays anonymous for good and sees nothing.
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
    })
  }
  void start()

  return () => {
    stopped = true
    if (channel) void supabase().removeChannel(channel)
  }
}

/** The client hands out one channel per name, even one that is joined or leaving; a second listener gets its own. */
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
