import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { LIMITS } from '@potluck/supabase/limits'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isStrongPassword, SHORTEST_EVER } from '#domain/password-strength.ts'
import { looksLikeEmail, visibleLength } from '#domain/text.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { Agreement } from './Agreement.tsx'
import { AuthPanel } from './AuthPanel.tsx'
import { nameProblem, sayInvalidEmail, sayShortPassword, saySignUpFailed } from './auth.messages.ts'
import { signUp } from './auth.mutations.ts'
import { recallMail, rememberMail } from './mail-sent.ts'
import { PasswordStrength } from './PasswordStrength.tsx'
import { recallEmail, takeTarget } from './post-login.ts'

/** `about` is what they are on their way to. */
export function SignUpScreen({ about }: { about: ReactNode }) {
  const form = useForm({
    initialValues: { name: recallMail()?.name ?? '', email: recallEmail(), password: '', confirmation: '' },
  })
  const [working, setWorking] = useState(false)
  const navigate = useNavigate()

  const isReady = () => {
    const { name, email, password, confirmation } = form.values
    if (visibleLength(name) === 0) form.setFieldError('name', nameProblem)
    else if (!looksLikeEmail(email)) {
      form.setFieldError('email', true)
      sayInvalidEmail()
    } else if (password.length < SHORTEST_EVER) {
      form.setFieldError('password', true)
      sayShortPassword()
    } else if (password !== confirmation) {
      form.setFieldError('confirmation', "Passwords don't match")
    } else if (!isStrongPassword(password)) {
      form.setFieldError('password', 'Password does not meet security requirements')
    } else return true
    return false
  }

  const submit = async () => {
    if (working || !isReady()) return
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
    <AuthPanel title="Create Your Account" subline="Pull up a chair. It takes a minute." mood="excited">
      {about}
      <form noValidate onSubmit={form.onSubmit(() => void submit())}>
        <Stack gap="md">
          <TextInput
            label="First name"
            description="Shown to people you share with."
            name="name"
            required
            withAsterisk={false}
            maxLength={LIMITS.longestDisplayName}
            autoComplete="given-name"
            {...form.getInputProps('name')}
          />
          <EmailInput required withAsterisk={false} {...form.getInputProps('email')} />
          <PasswordInput
            label="Password"
            name="new-password"
            required
            withAsterisk={false}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <PasswordStrength password={form.values.password} />
          <PasswordInput
            label="Confirm password"
            name="confirm-password"
            required
            withAsterisk={false}
            autoComplete="new-password"
            {...form.getInputProps('confirmation')}
          />
          <Button type="submit" variant="primary" fullWidth disabled={working}>
            {working ? 'Creating account...' : 'Create account'}
          </Button>
          <Agreement />
        </Stack>
      </form>
      <Text ta="center" mt="lg" size="sm">
        Already have an account?{' '}
        <LinkAnchor to="/signin" inherit fw={600}>
          Sign in
        </LinkAnchor>
      </Text>
    </AuthPanel>
  )
}
