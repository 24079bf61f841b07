import { t } from '@lingui/core/macro'
import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { isStrongPassword, SHORTEST_EVER } from '#domain/password-strength.ts'
import { looksLikeEmail } from '#domain/text.ts'
import { EmailInput } from '#ui/EmailInput.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { Agreement } from './Agreement.tsx'
import { emailProblem, passwordProblem, sayProblem, saySignUpFailed } from './auth.messages.ts'
import { recallMail } from './mail-sent.ts'
import { NameInput } from './NameInput.tsx'
import { PasswordStrength } from './PasswordStrength.tsx'
import { recallEmail } from './post-login.ts'

interface NewAccount {
  name: string
  email: string
  password: string
}

interface AccountFormProps {
  /** The button's text, and its text while `create` is running. */
  action: string
  working: string
  /** Creates the account and navigates away. An error that it throws is shown as a toast. */
  create: (account: NewAccount) => Promise<void>
}

/** The form for a new account with a password. */
export function AccountForm({ action, working: busy, create }: AccountFormProps) {
  const form = useForm({
    initialValues: { name: recallMail()?.name ?? '', email: recallEmail(), password: '', confirmation: '' },
    validate: problemsIn,
  })
  const [working, setWorking] = useState(false)

  const submit = async () => {
    if (working) return
    setWorking(true)
    try {
      await create(form.values)
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
          {working ? busy : action}
        </Button>
        <Agreement />
      </Stack>
    </form>
  )
}

/** Returns the first validation problem, keyed by its field. */
function problemsIn(values: Record<'email' | 'password' | 'confirmation', string>) {
  const { email, password, confirmation } = values
  if (!looksLikeEmail(email)) return { email: emailProblem }
  if (password.length < SHORTEST_EVER) return { password: passwordProblem }
  if (password !== confirmation) return { confirmation: t`Passwords don't match` }
  return isStrongPassword(password) ? {} : { password: t`Password does not meet security requirements` }
}
