import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useSession } from '#lib/session.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { sayAuthenticationFailed } from './auth.messages.ts'
import { type ForeignSession, takeOver } from './foreign-session.ts'

/** Asks the signed-in person whether to switch to the account to which an opened link belongs. */
export function ForeignSessionDialog({
  email,
  tokens,
  onAnswered,
}: ForeignSession & { onAnswered?: () => void }) {
  const session = useSession()
  const [state, setState] = useState<'asking' | 'busy' | 'answered'>('asking')
  const answer = () => {
    setState('answered')
    onAnswered?.()
  }
  const goOn = async () => {
    setState('busy')
    try {
      await takeOver(tokens)
    } catch (problem) {
      sayAuthenticationFailed(problem)
    }
    answer()
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
      onClose={answer}
    >
      {session.status === 'signed-in' && t`You’re signed in as ${{ email: session.user.email }}.`}{' '}
      {email ? t`Continue as ${email}?` : t`Continue with the account from your link?`}
    </ConfirmDialog>
  )
}
