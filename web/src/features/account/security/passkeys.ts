import { useChange } from '#lib/change.ts'
import { withProof, withProofToEnrol } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'
import { answered } from './auth-answer.ts'
import { passkeyToasts } from './passkeys.messages.ts'

/** The signed-in person's passkeys, oldest first. */
export const passkeysQuery = query({
  key: [...SECURITY, 'passkeys'],
  load: () => answered(supabase().auth.passkey.list()),
})

export type Passkey = Awaited<ReturnType<NonNullable<typeof passkeysQuery.queryFn>>>[number]

/** Creates a passkey on this device, or on another device that the browser offers. */
export const useAddPasskey = (onAdded: (passkey: Passkey) => void) =>
  useChange({
    run: () => withProofToEnrol(() => answered(supabase().auth.registerPasskey())),
    stale: [SECURITY],
    done: (passkey) => {
      passkeyToasts.added()
      onAdded(passkey)
    },
    failed: passkeyToasts.addFailed,
  })

export const useRenamePasskey = (onDone: () => void) =>
  useChange({
    run: ({ id, name }: { id: string; name: string }) =>
      withProof(() => answered(supabase().auth.passkey.update({ passkeyId: id, friendlyName: name.trim() }))),
    stale: [SECURITY],
    done: onDone,
    failed: passkeyToasts.renameFailed,
  })

export const useRemovePasskey = (onDone: () => void) =>
  useChange({
    run: ({ id }: Passkey) => withProof(() => answered(supabase().auth.passkey.delete({ passkeyId: id }))),
    stale: [SECURITY],
    done: () => {
      passkeyToasts.removed()
      onDone()
    },
    failed: passkeyToasts.removeFailed,
  })
