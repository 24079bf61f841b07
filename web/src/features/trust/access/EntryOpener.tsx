import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEyeOff, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useOpening } from './use-opening.ts'
import { OpenedSecret, VaultHistory } from './VaultHistory.tsx'

interface EntryOpenerProps {
  planId: string
  isOwner: boolean
  /** Further buttons. */
  children: ReactNode
}

/** Opens what is stored for a plan, and shows who did so before. */
export default function EntryOpener({ planId, isOwner, children }: EntryOpenerProps) {
  const { secret, secondsLeft, working, open, hide } = useOpening(planId)
  const [looking, history] = useDisclosure()
  return (
    <Stack gap="sm">
      {secret ? (
        <OpenedSecret secret={secret} secondsLeft={secondsLeft} />
      ) : (
        <Text size="sm" c="dimmed">
          {isOwner
            ? 'The rest is encrypted. You see who opens it.'
            : 'The rest is encrypted. The owner sees when you open it.'}
        </Text>
      )}
      <Group gap="xs">
        <Button
          variant={isOwner || secret ? 'default' : 'primary'}
          leftSection={secret ? <IconEyeOff size={20} aria-hidden /> : <IconLock size={20} aria-hidden />}
          loading={working}
          onClick={() => (secret ? hide() : void open())}
        >
          {secret ? 'Hide' : 'Open'}
        </Button>
        {children}
        <Button variant="subtle" onClick={history.open}>
          {isOwner ? 'Who opened it' : 'When you opened it'}
        </Button>
      </Group>
      <VaultHistory planId={planId} isOwner={isOwner} opened={looking} onClose={history.close} />
    </Stack>
  )
}
