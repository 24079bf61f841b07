import { t } from '@lingui/core/macro'
import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMail } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SHORTEST_EVER } from '#domain/password-strength.ts'
import { looksLikeEmail } from '#domain/text.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import {
  emailProblem,
  passwordProblem,
  sayInvalidEmail,
  sayMagicLinkFailed,
  sayProblem,
  saySignInFailed,
} from './auth.messages.ts'
import { sendMagicLink, signIn } from './auth.mutations.ts'
import { rememberMail } from './mail-sent.ts'
import { recallEmail } from './post-login.ts'

interface SignInFormProps extends SignInFormState {
  /** True beside a form with the page's main button. */
  quiet: boolean
}

/** The fields for e-mail and password, with buttons to sign in or to get a link by mail. */
export function SignInForm({ quiet, form, working, submit, mailLink }: SignInFormProps) {
  return (
    <form noValidate onSubmit={form.onSubmit(() => void submit(), sayProblem)}>
      <Stack gap="md">
        <EmailInput autoComplete="username webauthn" {...form.getInputProps('email')} />
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
          variant={quiet ? 'secondary' : 'primary'}
          fullWidth
          loading={working === 'password'}
        >
          {t`Sign In`}
        </Button>
        <Button
          variant="secondary"
          fullWidth
          leftSection={<IconMail size={18} />}
          loading={working === 'link'}
          onClick={() => void mailLink()}
        >
          {t`Email me a sign-in link`}
        </Button>
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
  const form = useForm({ initialValues: { email: recallEmail(), password: '' }, validate: problemsIn })
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
      const { email } = form.values
      await sendMagicLink(email)
      rememberMail({ email, kind: 'link', name: '', from: '/signin' })
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

function problemsIn({ email, password }: { email: string; password: string }) {
  if (!looksLikeEmail(email)) return { email: emailProblem }
  return password.length < SHORTEST_EVER ? { password: passwordProblem } : {}
}

type SignInFormState = ReturnType<typeof useSignInForm>
