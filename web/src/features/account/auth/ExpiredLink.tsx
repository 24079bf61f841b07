import { t } from '@lingui/core/macro'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useChange } from '#lib/change.ts'
import { sayMailFailed } from './auth.messages.ts'
import { sendAgain } from './auth.mutations.ts'
import { rememberMail } from './mail-sent.ts'
import { rememberTarget } from './post-login.ts'

/** The router state of the sign-in page after a person has followed a used or expired link. */
export interface ExpiredLinkState {
  /** The recipient of the link; empty if unknown. */
  email: string
  /** True if the link was for setting a new password. */
  isRecovery: boolean
  /** The page the link led to. */
  target: string
}

/** Says that the link was used or has expired. Offers to mail a new one if the recipient's e-mail address is known. */
export function ExpiredLink({ email, isRecovery, target }: ExpiredLinkState) {
  const navigate = useNavigate()
  const kind = isRecovery ? 'recovery' : 'link'
  const send = useChange({
    run: async () => {
      rememberTarget(target)
      return sendAgain({ email, kind, name: '' })
    },
    done: () => {
      rememberMail({ email, kind, name: '', from: '/signin' })
      return navigate({ to: '/signin', search: { success: true } })
    },
    failed: sayMailFailed,
  })
  return (
    <Alert icon={<IconMailOff />} title={t`This link was used or has expired`} mb="lg" role="status">
      {email ? (
        <Stack gap="sm" align="flex-start">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Button loading={send.isPending} onClick={() => send.mutate()}>
            {t`Send a new link`}
          </Button>
        </Stack>
      ) : (
        <Text size="sm">{t`Enter your email, and we’ll send you a new one.`}</Text>
      )}
    </Alert>
  )
}
