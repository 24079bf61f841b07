import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { askSession, useSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { sayAuthenticationFailed } from './auth.messages.ts'
import type { ForeignSession } from './foreign-session.ts'
import { welcomeOnce } from './session.messages.ts'

/** Asks the signed-in person whether to continue as the person an opened link belongs to. */
export function ForeignSessionDialog({ email, tokens }: ForeignSession) {
  const session = useSession()
  const [state, setState] = useState<'asking' | 'busy' | 'answered'>('asking')
  const goOn = async () => {
    setState('busy')
    try {
      const { error } = await supabase().auth.setSession(tokens)
      if (error) throw error
      welcomeOnce(await askSession())
    } catch (problem) {
      sayAuthenticationFailed(problem)
    }
    setState('answered')
  }
  return (
    <ConfirmDialog
      opened={state !== 'answered'}
      title={t`Switch accounts?`}
      confirmLabel={t`Switch accounts`}
      cancelLabel={t`Stay signed in`}
      color="clay"
      busy={state === 'busy'}
      onConfirm={() => void goOn()}
      onClose={() => setState('answered')}
    >
      {session.status === 'signed-in' && t`You’re signed in as ${{ email: session.user.email }}.`}{' '}
      {email ? t`Continue as ${email}?` : t`Continue with the account from your link?`}
    </ConfirmDialog>
  )
}
