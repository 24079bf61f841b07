import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc } from '#lib/supabase.ts'

/** Where the signed-in person is notified, this device first. It changes with where they are signed in. */
export const pushDevicesQuery = query({
  key: [...SECURITY, 'push-devices'],
  load: (signal) => rpc('my_push_devices', {}, signal),
})

export type PushDevice = Awaited<ReturnType<NonNullable<typeof pushDevicesQuery.queryFn>>>[number]
