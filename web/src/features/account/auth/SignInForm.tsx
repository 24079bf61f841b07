import { Anchor, Button, Group, PasswordInput, Stack } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmailInput } from '#ui/EmailInput.tsx'
import type { SignInFormState } from './use-sign-in-form.ts'

/** Email and password, or email alone for a link. */
export function SignInForm({ form, working, submit, mailLink }: SignInFormState) {
  return (
    <form noValidate onSubmit={form.onSubmit(() => void submit())}>
      <Stack gap="md">
        <EmailInput autoComplete="username webauthn" {...form.getInputProps('email')} />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" mt={-8}>
          <Anchor component={Link} to="/reset-password" size="sm" py={4}>
            Forgot your password?
          </Anchor>
        </Group>
        <Button type="submit" variant="primary" fullWidth loading={working === 'password'}>
          Sign In
        </Button>
        <Button
          variant="secondary"
          fullWidth
          leftSection={<IconMail size={18} />}
          loading={working === 'link'}
          onClick={() => void mailLink()}
        >
          Email me a sign-in link
        </Button>
      </Stack>
    </form>
  )
}
