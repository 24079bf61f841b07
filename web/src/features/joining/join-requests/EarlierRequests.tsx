import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Box, Button, Collapse, Group, List, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import type { ArchivedRequest } from './archived-requests.queries.ts'

const COLORS: Record<ArchivedRequest['outcome'], string> = {
  approved: 'herb',
  rejected: 'beet',
  cancelled: 'gray',
  expired: 'gray',
}

/** Archived requests, collapsed at first; renders nothing if there are none. */
export function EarlierRequests({ requests }: { requests: ArchivedRequest[] }) {
  const [opened, { toggle }] = useDisclosure()
  if (requests.length === 0) return null
  return (
    <Box mt="xs" maw={640}>
      <Button
        variant="subtle"
        color="gray"
        px="xs"
        ms={-8}
        aria-expanded={opened}
        rightSection={
          <IconChevronDown size={18} style={opened ? { transform: 'rotate(180deg)' } : {}} aria-hidden />
        }
        onClick={toggle}
      >
        <Trans>Earlier requests ({requests.length})</Trans>
      </Button>
      <Collapse expanded={opened}>
        <List
          listStyleType="none"
          spacing="xs"
          mt="xs"
          aria-label={t`Earlier requests`}
          styles={{ itemWrapper: { display: 'block' } }}
        >
          {requests.map(({ id, about, outcome, requestedAt }) => (
            <List.Item key={id}>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <Text truncate>{about}</Text>
                <Group gap="sm" wrap="nowrap">
                  <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                    <RelativeDate date={requestedAt} />
                  </Text>
                  <Badge variant="light" color={COLORS[outcome]} tt="none">
                    {outcome}
                  </Badge>
                </Group>
              </Group>
            </List.Item>
          ))}
        </List>
      </Collapse>
    </Box>
  )
}
