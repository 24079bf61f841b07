import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '#lib/supabase.ts'
import { choiceToasts } from './notification-choices.messages.ts'
import { type PushDevice, pushDevicesQuery } from './push-devices.queries.ts'
import { subscribe, unsubscribe } from './this-browser.ts'

/** Has the person notified on this device. Answers whether the browser lets us. */
export function useAddDevice() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const device = await subscribe()
      if (device) await rpc('add_push_device', device)
      return device !== null
    },
    onSuccess: (added) => added && choiceToasts.added(),
    onError: choiceToasts.notAdded,
    onSettled: () => cache.invalidateQueries({ queryKey: pushDevicesQuery.queryKey }),
  })
}

export function useRemoveDevice() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, is_current }: PushDevice) => {
      await rpc('remove_push_device', { p_id: id })
      if (is_current) await unsubscribe()
    },
    onSuccess: choiceToasts.removed,
    onError: choiceToasts.notRemoved,
    // Removed or not, it may have gone by itself meanwhile.
    onSettled: () => cache.invalidateQueries({ queryKey: pushDevicesQuery.queryKey }),
  })
}
