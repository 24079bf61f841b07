import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { blockTexts } from './blocks.messages.ts'
import { useSetBlocked } from './blocks.mutations.ts'
import { blockedQuery } from './blocks.queries.ts'

interface BlockPersonProps {
  userId: string
  name: string
}

/** A button to block a person, or to unblock them. */
export function BlockPerson(person: BlockPersonProps) {
  const { data: blocked } = useQuery(blockedQuery)
  const [asking, { open, close }] = useDisclosure()
  const change = useSetBlocked(person, close)
  if (blocked?.some(({ userId }) => userId === person.userId)) return <BlockedNotice {...person} />
  return (
    <>
      <Button
        variant="subtle"
        color="beet"
        leftSection={<IconBan size={18} aria-hidden />}
        loading={!blocked}
        onClick={open}
        style={{ alignSelf: 'flex-start' }}
      >
        <Trans>Block {person.name}</Trans>
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Block ${person.name}?`}
        confirmLabel={t`Block ${person.name}`}
        cancelLabel={t`Cancel`}
        busy={change.isPending}
        onConfirm={() => change.mutate(true)}
        onClose={close}
      >
        <Text mb="xs">{blockTexts.what}</Text>
        <Text>{blockTexts.goesOn}</Text>
      </ConfirmDialog>
    </>
  )
}

/** A notice that a person is blocked, with a button to unblock them. */
export function BlockedNotice({ userId, name }: BlockPersonProps) {
  const change = useSetBlocked({ userId, name })
  return (
    <Alert color="gray" icon={<IconBan aria-hidden />} title={t`You’ve blocked ${name}`}>
      <Button
        size="sm"
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate(false)}
        aria-label={t`Unblock ${name}`}
      >
        {t`Unblock`}
      </Button>
    </Alert>
  )
}
