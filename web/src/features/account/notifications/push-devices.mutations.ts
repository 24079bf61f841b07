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

const LONGEST_TEST = 20
const SECOND = 1000

/** Sends a test to all of the person's devices, and waits to hear how each of them fared. */
export function useTestPush() {
  const cache = useQueryClient()
  const { queryKey } = pushDevicesQuery
  return useMutation({
    mutationFn: async () => {
      const began = new Date(await rpc('test_push', {}))
      let devices: PushDevice[] = []
      for (let tries = 0; tries < LONGEST_TEST; tries++) {
        devices = await rpc('my_push_devices', {})
        if (devices.every((one) => wasTried(one, began))) break
        await new Promise((resolve) => setTimeout(resolve, SECOND))
      }
      const tried = devices.filter((one) => wasTried(one, began))
      const failed = tried.filter(({ has_failed }) => has_failed).length
      return { sent: tried.length - failed, failed, waiting: devices.length - tried.length }
    },
    onSuccess: choiceToasts.tested,
    onError: choiceToasts.notTested,
    // One whose push service does not know it any more is gone from the list.
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
}

const wasTried = ({ last_tried_at }: PushDevice, since: Date) =>
  last_tried_at !== null && new Date(last_tried_at) >= since

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
