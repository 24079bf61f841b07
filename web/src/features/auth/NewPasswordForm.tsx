import { Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isStrongPassword } from '#domain/password-strength.ts'
import { sayPasswordChanged, sayPasswordFailed } from './auth.messages.ts'
import { setNewPassword } from './auth.mutations.ts'
import { PasswordStrength } from './PasswordStrength.tsx'

/** A new password under the rules of sign-up. */
export function NewPasswordForm() {
  const form = useForm({
    initialValues: { password: '', confirmation: '' },
    validate: {
      password: (password) =>
        isStrongPassword(password) ? null : 'Password does not meet security requirements',
      confirmation: (confirmation, { password }) =>
        confirmation === password ? null : "Passwords don't match",
    },
  })
  const [working, setWorking] = useState(false)
  const navigate = useNavigate()

  const save = async ({ password }: { password: string }) => {
    setWorking(true)
    try {
      await setNewPassword(password)
      sayPasswordChanged()
      await navigate({ to: '/', replace: true })
    } catch (problem) {
      sayPasswordFailed(problem)
      setWorking(false)
    }
  }

  return (
    <form noValidate onSubmit={form.onSubmit((values) => void save(values))}>
      <Stack gap="md">
        <PasswordInput
          label="New password"
          name="new-password"
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordStrength password={form.values.password} />
        <PasswordInput
          label="Confirm new password"
          name="confirm-password"
          autoComplete="new-password"
          {...form.getInputProps('confirmation')}
        />
        <Button type="submit" variant="primary" fullWidth loading={working}>
          Save password
        </Button>
      </Stack>
    </form>
  )
}
