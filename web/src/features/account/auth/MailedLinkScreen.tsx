import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { EmailOtpType } from '@supabase/supabase-js'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '#lib/change.ts'
import { supabaseAside } from '#lib/connect.ts'
import { toAppError } from '#lib/errors.ts'
import { currentSession } from '#lib/session.ts'
import { AuthPanel } from './AuthPanel.tsx'
import { sayAuthenticationFailed, sayLinkUsed, sayOtherMailbox } from './auth.messages.ts'
import { ForeignSessionDialog } from './ForeignSessionDialog.tsx'
import { type ForeignSession, takeOver } from './foreign-session.ts'
import { LINK_OVER, type MailedLink } from './mailed-link.ts'
import { rememberTarget } from './post-login.ts'
import { useGiveUp } from './use-give-up.ts'

const ACTIONS: Record<string, string> = {
  signup: t`Confirm my email`,
  magiclink: t`Sign me in`,
  recovery: t`Choose a new password`,
  invite: t`Accept invitation`,
  email_change: t`Confirm the change`,
}

/** Verifies a mailed link when a button is pressed: mail scanners open links, but do not press buttons. */
export function MailedLinkScreen({ link }: { link: MailedLink }) {
  const [foreign, setForeign] = useState<ForeignSession | null>(null)
  const navigate = useNavigate()
  const giveUp = useGiveUp()
  const action = ACTIONS[link.type] ?? t`Continue`

  const leave = async () => {
    const { status } = currentSession()
    if (status === 'signed-in') return navigate({ href: link.target, replace: true })
    // The person is not fully signed in: the sign-in screen asks for the second factor.
    rememberTarget(link.target)
    return navigate({ to: '/sign-in', replace: true })
  }
  const verify = useChange({
    run: async () => {
      const { auth } = await supabaseAside()
      const { data, error } = await auth.verifyOtp({
        token_hash: link.tokenHash,
        type: link.type as EmailOtpType,
      })
      if (error) throw error
      return data.session
    },
    done: async (session) => {
      if (!session) {
        sayOtherMailbox()
        return navigate({ to: '/', replace: true })
      }
      const { user, access_token, refresh_token } = session
      const before = currentSession()
      const tokens = { access_token, refresh_token }
      const isOwn = before.status === 'signed-in' ? before.user.id === user.id : user.email === link.email
      // The e-mail address in the link proves nothing: it may be forged, or the link may sign in to the account of the
      // link's sender.
      if (!isOwn) return setForeign({ email: user.email ?? '', tokens })
      await takeOver(tokens)
      return leave()
    },
    failed: (problem) => {
      const isOver = toAppError(problem).code === LINK_OVER
      if (isOver && currentSession().status === 'signed-in') {
        sayLinkUsed()
        return void leave()
      }
      sayAuthenticationFailed(problem)
      if (isOver) void giveUp(link)
    },
  })
  return (
    <AuthPanel title={action} subline={link.email}>
      <Button variant="primary" fullWidth loading={verify.isPending} onClick={() => verify.mutate()}>
        {action}
      </Button>
      {foreign && <ForeignSessionDialog {...foreign} onAnswered={() => void leave()} />}
    </AuthPanel>
  )
}
