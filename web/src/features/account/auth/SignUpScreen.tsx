import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isStrongPassword, SHORTEST_EVER } from '#domain/password-strength.ts'
import { looksLikeEmail } from '#domain/text.ts'
import { config } from '#lib/config.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { Agreement } from './Agreement.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { emailProblem, passwordProblem, sayProblem, saySignUpFailed } from './auth.messages.ts'
import { signUp } from './auth.mutations.ts'
import { ExternalSignInOnly } from './ExternalSignInOnly.tsx'
import { recallMail, rememberMail } from './mail-sent.ts'
import { NameInput } from './NameInput.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'
import { recallEmail, recallTarget, takeTarget } from './post-login.ts'
import { SocialSignIn } from './SocialSignIn.tsx'

/** `purpose` is the action for which the person signs up, in words. */
export function SignUpScreen({ purpose }: { purpose: string | null }) {
  const target = recallTarget()
  const wanted = target === '/' ? undefined : target
  return (
    <AuthPanel
      title={t`Create Your Account`}
      subline={t`Pull up a chair. It takes a minute.`}
      purpose={purpose}
      mood="excited"
    >
      {config().signInByMail ? (
        <>
          <SignUpForm />
          <SocialSignIn wanted={wanted} />
        </>
      ) : (
        <ExternalSignInOnly wanted={wanted} />
      )}
      <Text ta="center" mt="lg" size="sm">
        <Trans>
          Already have an account?{' '}
          <LinkAnchor to="/signin" inherit fw={600}>
            Sign in
          </LinkAnchor>
        </Trans>
      </Text>
    </AuthPanel>
  )
}

function SignUpForm() {
  const form = useForm({
    initialValues: { name: recallMail()?.name ?? '', email: recallEmail(), password: '', confirmation: '' },
    validate: problemsIn,
  })
  const [working, setWorking] = useState(false)
  const navigate = useNavigate()

  const submit = async () => {
    if (working) return
    setWorking(true)
    try {
      const { name, email, password } = form.values
      if (await signUp(name, email, password)) {
        rememberMail({ email, kind: 'account', name, from: '/signup' })
        await navigate({ to: '/signin', search: { success: true } })
      } else await navigate({ href: takeTarget(), replace: true })
    } catch (problem) {
      saySignUpFailed(problem)
      setWorking(false)
    }
  }

  return (
    <form noValidate onSubmit={form.onSubmit(() => void submit(), sayProblem)}>
      <Stack gap="md">
        <EmailInput required withAsterisk={false} {...form.getInputProps('email')} />
        <PasswordField
          label={t`Password`}
          name="new-password"
          required
          withAsterisk={false}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordStrength password={form.values.password} />
        <PasswordField
          label={t`Confirm password`}
          name="confirm-password"
          required
          withAsterisk={false}
          autoComplete="new-password"
          {...form.getInputProps('confirmation')}
        />
        <NameInput email={form.values.email} {...form.getInputProps('name')} />
        <Button type="submit" variant="primary" fullWidth disabled={working}>
          {working ? t`Creating account...` : t`Create account`}
        </Button>
        <Agreement />
      </Stack>
    </form>
  )
}

/** The first problem with the values. */
function problemsIn(values: Record<'email' | 'password' | 'confirmation', string>) {
  const { email, password, confirmation } = values
  if (!looksLikeEmail(email)) return { email: emailProblem }
  if (password.length < SHORTEST_EVER) return { password: passwordProblem }
  if (password !== confirmation) return { confirmation: t`Passwords don't match` }
  return isStrongPassword(password) ? {} : { password: t`Password does not meet security requirements` }
}
