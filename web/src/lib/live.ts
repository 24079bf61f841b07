import type { Database } from '@potluck/supabase/types'
import type { RealtimeChannel, RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { createRefresher, type Refresher, type RefreshPace } from './refresher.ts'
import { supabase } from './supabase.ts'

export type Change = RealtimePostgresChangesPayload<Record<string, unknown>>

export interface Watch {
  table: keyof Database['public']['Tables'] & string
  /** Realtime filter such as `user_id=eq.…`; row-level security applies on top of it. */
  filter?: string
  event?: 'INSERT' | 'UPDATE' | 'DELETE' | '*'
}

export interface LiveHandlers {
  onChange: (change: Change) => void
  /** The channel is joined, at first or again after a gap: whatever changed before was not heard. */
  onJoined?: () => void
}

/** Listens to table changes on one channel; returns the way to stop. */
function watchTables(topic: string, watches: Watch[], handlers: LiveHandlers): () => void {
  let stopped = false
  let channel: RealtimeChannel | undefined

  const start = async () => {
    // A channel joined before the stored session has been read stays anonymous for good and sees nothing.
    await supabase().auth.getSession()
    if (stopped) return
    channel = supabase().channel(freeTopic(topic))
    for (const { table, filter, event = '*' } of watches) {
      const wanted = filter ? { schema: 'public', table, filter } : { schema: 'public', table }
      channel.on('postgres_changes', { event: event as '*', ...wanted }, handlers.onChange)
    }
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') handlers.onJoined?.()
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

/** {@link watchTables} for as long as a component is on screen. `watches` is compared by content. */
export function useLive(topic: string, watches: Watch[], handlers: LiveHandlers): void {
  const onChange = useEffectEvent(handlers.onChange)
  const onJoined = useEffectEvent(() => handlers.onJoined?.())
  const wanted = JSON.stringify(watches)
  useEffect(
    () =>
      watchTables(topic, JSON.parse(wanted) as Watch[], {
        onChange: (change) => onChange(change),
        onJoined: () => onJoined(),
      }),
    [topic, wanted],
  )
}

/**
 * Reloads the queries under `keys` when a watched table changes: a moment later, merged, and not before `throttleMs` have
 * passed since they were last loaded. Gives the way to reload them at once.
 */
export function useLiveQueries(
  topic: string,
  watches: Watch[],
  keys: QueryKey[],
  { debounceMs = 500, throttleMs = 0 }: Partial<RefreshPace> = {},
): () => void {
  const cache = useQueryClient()
  const reload = useEffectEvent(() => {
    for (const queryKey of keys) void cache.invalidateQueries({ queryKey })
  })
  const lastLoad = useEffectEvent(() =>
    Math.max(
      0,
      ...keys.flatMap((queryKey) =>
        cache
          .getQueryCache()
          .findAll({ queryKey })
          .map(({ state }) => state.dataUpdatedAt),
      ),
    ),
  )
  const refresher = useRef<Refresher>(null)
  const wanted = JSON.stringify(watches)
  useEffect(() => {
    const own = createRefresher(
      () => reload(),
      () => lastLoad(),
      { debounceMs, throttleMs },
    )
    refresher.current = own
    const stop = watchTables(topic, JSON.parse(wanted) as Watch[], { onChange: own.ask, onJoined: own.ask })
    return () => {
      own.stop()
      stop()
    }
  }, [topic, wanted, debounceMs, throttleMs])
  return useCallback(() => refresher.current?.force(), [])
}
