import { Button, Card, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type AccessWish, accessRequestSchema } from './access-request.schema.ts'

interface AccessRequestFormProps {
  /** The signed-in person's. */
  email: string
  busy: boolean
  onSend: (wish: AccessWish) => void
}

/** Who asks for access, and why. */
export function AccessRequestForm({ email, busy, onSend }: AccessRequestFormProps) {
  const form = useForm<AccessWish>({
    initialValues: { name: '', email, reason: '' },
    validate: schemaResolver(accessRequestSchema, { sync: true }),
  })
  const send = form.onSubmit(
    (values) => onSend(accessRequestSchema.parse(values)),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  return (
    <form onSubmit={send} noValidate>
      <Card>
        <Stack gap="md">
          <TextInput label="Name" autoComplete="name" withAsterisk {...form.getInputProps('name')} />
          <TextInput
            label="Email"
            description="Requests are filed under the address you sign in with."
            type="email"
            inputMode="email"
            autoComplete="email"
            withAsterisk
            {...form.getInputProps('email')}
          />
          <Textarea
            label="Reason"
            placeholder="What you would look after, and why you need access for it"
            autosize
            minRows={4}
            maxRows={12}
            withAsterisk
            {...form.getInputProps('reason')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={busy}>
              Submit Request
            </Button>
          </Group>
        </Stack>
      </Card>
    </form>
  )
}
