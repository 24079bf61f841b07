import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toAppError } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { SECURITY } from '#lib/security.ts'
import { supabase } from '#lib/supabase.ts'
import { passkeyToasts } from './passkeys.messages.ts'
import type { Passkey } from './passkeys.queries.ts'

interface Steps<Given, Made> {
  act: (given: Given) => Promise<{ data: Made; error: null } | { data: null; error: Error }>
  onSuccess: (made: Made) => void
  onError: (problem: unknown) => void
}

function usePasskeyChange<Given, Made>({ act, onSuccess, onError }: Steps<Given, Made>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (given: Given) =>
      withProof(async () => {
        const { data, error } = await act(given)
        if (error) throw toAppError(error)
        return data as Made
      }),
    onSuccess,
    onError,
    onSettled: () => cache.invalidateQueries({ queryKey: SECURITY }),
  })
}

/** Makes a passkey on this device, or on the one it asks for. */
export const useAddPasskey = (onAdded: (passkey: Passkey) => void) =>
  usePasskeyChange({
    act: () => supabase().auth.registerPasskey(),
    onSuccess: (passkey: Passkey) => {
      passkeyToasts.added()
      onAdded(passkey)
    },
    onError: passkeyToasts.addFailed,
  })

export const useRenamePasskey = (onDone: () => void) =>
  usePasskeyChange({
    act: ({ id, name }: { id: string; name: string }) =>
      supabase().auth.passkey.update({ passkeyId: id, friendlyName: name.trim() }),
    onSuccess: (_passkey: Passkey) => {
      passkeyToasts.renamed()
      onDone()
    },
    onError: passkeyToasts.renameFailed,
  })

export const useRemovePasskey = (onDone: () => void) =>
  usePasskeyChange({
    act: ({ id }: Passkey) => supabase().auth.passkey.delete({ passkeyId: id }),
    onSuccess: (_nothing: null) => {
      passkeyToasts.removed()
      onDone()
    },
    onError: passkeyToasts.removeFailed,
  })
