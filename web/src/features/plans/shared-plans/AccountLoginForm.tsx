import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSaveLogin } from './plans.mutations.ts'
import { accountLoginQuery } from './plans.queries.ts'

/** Lets the owner tell members which login to use. */
export function AccountLoginForm({ planId }: { planId: string }) {
  const { data: login } = useQuery(accountLoginQuery(planId))
  const [draft, setDraft] = useState<string | null>(null)
  const save = useSaveLogin(planId)

  if (draft === null)
    return (
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={2} miw={0}>
          <Text size="sm" c="dimmed">
            Account login
          </Text>
          <Text
            fw={login ? 600 : 400}
            {...(login ? {} : { c: 'dimmed' })}
            style={{ overflowWrap: 'anywhere' }}
          >
            {login === undefined ? '…' : (login ?? 'Tell your members which e-mail or username to use.')}
          </Text>
        </Stack>
        <Tooltip label="Edit login">
          <ActionIcon aria-label="Edit account login" onClick={() => setDraft(login ?? '')}>
            <IconPencil size={20} />
          </ActionIcon>
        </Tooltip>
      </Group>
    )

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(draft.trim())
        setDraft(null)
      }}
    >
      <TextInput
        label="Account login"
        description="E-mail or username at the provider. The password is stored apart, encrypted."
        value={draft}
        maxLength={LIMITS.longestLoginName}
        autoComplete="off"
        autoFocus
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="sm" mt="sm">
        <Button variant="default" onClick={() => setDraft(null)}>
          Cancel
        </Button>
        <Button type="submit">Save login</Button>
      </Group>
    </form>
  )
}
