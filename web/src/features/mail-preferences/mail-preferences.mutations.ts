import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showAtOnce } from '#lib/cache.ts'
import { rpc } from '#lib/supabase.ts'
import { mailPreferenceToasts } from './mail-preferences.messages.ts'
import { mailPreferenceQuery } from './mail-preferences.queries.ts'

/** Begins or ends mail for the signed-in person; the switch moves at once and comes back if that fails. */
export function useSetMailPreference() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (wanted: boolean) => rpc('set_mail_preference', { p_notifications: wanted }),
    onMutate: (wanted) => showAtOnce<boolean>(cache, mailPreferenceQuery.queryKey, () => wanted),
    onSuccess: (_saved, wanted) => mailPreferenceToasts.saved(wanted),
    onError: (problem, _wanted, takeBack) => {
      takeBack?.()
      mailPreferenceToasts.failed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: mailPreferenceQuery.queryKey }),
  })
}

/** The same by the link of a mail, for whoever holds it. Fails with PT404 for a link that was sent to nobody. */
export function useMailLink(token: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (wanted: boolean) => {
      await rpc('set_mail_preference_by_link', { p_token: token, p_notifications: wanted })
      return wanted
    },
    onSettled: () => cache.invalidateQueries({ queryKey: mailPreferenceQuery.queryKey }),
  })
}
