import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { looksLikeEmail } from '#domain/text.ts'
import { useChange } from '#lib/change.ts'
import { config } from '#lib/config.ts'
import { useSession } from '#lib/session.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PageLoading } from '#ui/Skeletons.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { emailProblem, sayInvalidEmail, sayResetFailed } from './auth.messages.ts'
import { sendPasswordReset } from './auth.mutations.ts'
import { rememberMail } from './mail-sent.ts'
import { NewPasswordForm } from './NewPasswordForm.tsx'
import { recallEmail } from './post-login.ts'
import { SocialSignIn } from './SocialSignIn.tsx'

/**
 * Requests a reset mail. A person who is signed in, for example through the mail's link, sets a new password instead.
 */
export function ResetPasswordScreen() {
  const session = useSession()
  if (session.status === 'loading') return <PageLoading />
  if (session.status === 'signed-in')
    return (
      <AuthPanel title={t`Set a new password`} subline={t`For ${session.user.email}`}>
        <NewPasswordForm />
      </AuthPanel>
    )
  // Without sign-in by e-mail, there is no password to reset.
  if (!config().signInByMail) return <Navigate to="/signin" replace />
  return (
    <AuthPanel title={t`Reset your password`} subline={t`We’ll email you a link.`}>
      <ResetRequestForm />
      <SocialSignIn />
      <Text ta="center" mt="lg" size="sm">
        <Trans>
          Remembered it?{' '}
          <LinkAnchor to="/signin" inherit fw={600}>
            Sign in
          </LinkAnchor>
        </Trans>
      </Text>
    </AuthPanel>
  )
}

/** The form that requests the reset mail. The reply does not reveal whether the e-mail address has an account. */
function ResetRequestForm() {
  const form = useForm({
    initialValues: { email: recallEmail() },
    validate: { email: (email) => (looksLikeEmail(email) ? null : emailProblem) },
  })
  const navigate = useNavigate()
  const send = useChange({
    run: sendPasswordReset,
    done: (_sent, email) => {
      rememberMail({ email, kind: 'recovery', name: '', from: '/reset-password' })
      return navigate({ to: '/signin', search: { success: true } })
    },
    failed: sayResetFailed,
  })
  return (
    <form noValidate onSubmit={form.onSubmit(({ email }) => send.mutate(email), sayInvalidEmail)}>
      <Stack gap="md">
        <EmailInput {...form.getInputProps('email')} />
        <Button type="submit" variant="primary" fullWidth loading={send.isPending}>
          {t`Send reset link`}
        </Button>
      </Stack>
    </form>
  )
}
