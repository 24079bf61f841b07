import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc } from '#lib/supabase.ts'
import { choiceToasts } from './notification-choices.messages.ts'
import { subscribe, unsubscribe } from './push-subscription.ts'

/** A device that receives push notifications. Times are ISO; null means never. */
export type PushDevice = RowOf<'my_push_devices', 'lastTriedAt' | 'lastSuccessAt'>

const load = async (signal?: AbortSignal) => (await rpc('my_push_devices', {}, signal)).map(camel<PushDevice>)

/**
 * The signed-in person's push devices, this device first. The key is under SECURITY, since ending a session removes its
 * device.
 */
export const pushDevicesQuery = query({ key: [...SECURITY, 'push-devices'], load })

/** Turns on push notifications on this device. Resolves to false if the person does not allow them. */
export const useAddDevice = () =>
  useChange({
    run: async () => {
      const device = await subscribe()
      if (device) await rpc('add_push_device', device)
      return device !== null
    },
    stale: [pushDevicesQuery.queryKey],
    done: (added) => added && choiceToasts.added(),
    failed: choiceToasts.notAdded,
  })

const LONGEST_TEST = 20
const SECOND = 1000

/** Sends a test to all of the person's devices, and waits for the result of each. */
export const useTestPush = () =>
  useChange({
    run: async () => {
      const began = new Date(await rpc('test_push', {}))
      let devices: PushDevice[] = []
      for (let tries = 0; tries < LONGEST_TEST; tries++) {
        devices = await load()
        if (devices.every((one) => wasTried(one, began))) break
        await new Promise((resolve) => setTimeout(resolve, SECOND))
      }
      const tried = devices.filter((one) => wasTried(one, began))
      const failed = tried.filter(({ hasFailed }) => hasFailed).length
      return { sent: tried.length - failed, failed, waiting: devices.length - tried.length }
    },
    // Reload the list: the test removes devices that their push service no longer knows.
    stale: [pushDevicesQuery.queryKey],
    done: choiceToasts.tested,
    failed: choiceToasts.notTested,
  })

const wasTried = ({ lastTriedAt }: PushDevice, since: Date) =>
  lastTriedAt !== null && new Date(lastTriedAt) >= since

export const useRemoveDevice = () =>
  useChange({
    run: async ({ id, isCurrent }: PushDevice) => {
      await rpc('remove_push_device', { p_id: id })
      if (isCurrent) await unsubscribe()
    },
    stale: [pushDevicesQuery.queryKey],
    failed: choiceToasts.notRemoved,
  })
