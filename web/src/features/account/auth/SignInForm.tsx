import { t } from '@lingui/core/macro'
import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getHotkeyHandler } from '@mantine/hooks'
import { IconMail } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SHORTEST_EVER } from '#domain/password-strength.ts'
import { looksLikeEmail } from '#domain/text.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { Agreement } from './Agreement.tsx'
import {
  emailProblem,
  passwordProblem,
  sayInvalidEmail,
  sayMagicLinkFailed,
  sayProblem,
  saySignInFailed,
} from './auth.messages.ts'
import { sendMagicLink, signIn } from './auth.mutations.ts'
import { InvitedOnly } from './InvitedOnly.tsx'
import { recallMail, rememberMail } from './mail-sent.ts'
import { NameInput } from './NameInput.tsx'
import { recallEmail } from './post-login.ts'

export const WELCOME = { title: t`Welcome Back`, text: t`Your place at the table is still warm.` }

interface SignInFormProps extends SignInFormState {
  /** True in a browser in which nobody has signed in yet: the link, which also creates an account, comes first. */
  newcomer: boolean
}

/** The fields for e-mail and password, with buttons to sign in or to get a link by mail. */
export function SignInForm({ newcomer, form, working, submit, mailLink }: SignInFormProps) {
  const getLink = (
    <Button
      variant={newcomer ? 'primary' : 'secondary'}
      fullWidth
      leftSection={<IconMail size={18} aria-hidden />}
      loading={working === 'link'}
      onClick={() => void mailLink()}
    >
      {newcomer ? t`Email me a link` : t`Email me a sign-in link`}
    </Button>
  )
  // Without a password, Enter presses the button below these fields.
  const onKeyDown =
    newcomer && form.values.password === '' ? getHotkeyHandler([['Enter', () => void mailLink()]]) : undefined
  return (
    <form noValidate onSubmit={form.onSubmit(() => void submit(), sayProblem)}>
      <Stack gap="md">
        {newcomer && <InvitedOnly />}
        <EmailInput autoComplete="username webauthn" onKeyDown={onKeyDown} {...form.getInputProps('email')} />
        {newcomer && (
          <>
            <NameInput email={form.values.email} onKeyDown={onKeyDown} {...form.getInputProps('name')} />
            {getLink}
            <Agreement />
            <Divider />
            <div>
              <Title order={2} size="h3">
                {WELCOME.title}
              </Title>
              <Text c="dimmed">{WELCOME.text}</Text>
            </div>
          </>
        )}
        <PasswordField
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" mt={-8}>
          <LinkAnchor to="/reset-password" size="sm" py={4}>
            {t`Forgot your password?`}
          </LinkAnchor>
        </Group>
        <Button
          type="submit"
          variant={newcomer ? 'secondary' : 'primary'}
          fullWidth
          loading={working === 'password'}
        >
          {t`Sign In`}
        </Button>
        {!newcomer && getLink}
      </Stack>
    </form>
  )
}

type Working = 'password' | 'link' | null

/**
 * Returns the sign-in form's values and its two ways to submit them. The screen reacts to success; a failure shows a
 * toast.
 */
export function useSignInForm() {
  const form = useForm({
    initialValues: { email: recallEmail(), name: recallMail()?.name ?? '', password: '' },
    validate: problemsIn,
  })
  const [working, setWorking] = useState<Working>(null)
  const navigate = useNavigate()

  const submit = async () => {
    if (working) return
    setWorking('password')
    try {
      await signIn(form.values.email, form.values.password)
    } catch (problem) {
      saySignInFailed(problem)
    } finally {
      setWorking(null)
    }
  }

  const mailLink = async () => {
    if (working) return
    if (!looksLikeEmail(form.values.email)) {
      form.setFieldError('email', emailProblem)
      form.getInputNode('email')?.focus()
      return sayInvalidEmail()
    }
    setWorking('link')
    try {
      const { email, name } = form.values
      await sendMagicLink(email, name)
      rememberMail({ email, kind: 'link', name, from: '/signin' })
      await navigate({ to: '/signin', search: { success: true } })
    } catch (problem) {
      sayMagicLinkFailed(problem)
    } finally {
      setWorking(null)
    }
  }

  const fill = (account: { email: string; password: string }) => {
    form.setValues(account)
    form.clearErrors()
  }

  return { form, working, submit, mailLink, fill }
}

function problemsIn({ email, password }: Record<'email' | 'password', string>) {
  if (!looksLikeEmail(email)) return { email: emailProblem }
  return password.length < SHORTEST_EVER ? { password: passwordProblem } : {}
}

type SignInFormState = ReturnType<typeof useSignInForm>
