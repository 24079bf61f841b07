import { Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { passwordToggle } from './password-toggle.ts'
import type { SignInFormState } from './use-sign-in-form.ts'

/** Email and password, or email alone for a link. */
export function SignInForm({ form, working, submit, mailLink }: SignInFormState) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={passwordToggle}
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
