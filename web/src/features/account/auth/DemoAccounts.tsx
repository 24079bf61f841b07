import { t } from '@lingui/core/macro'
import { Button, Card, Group, Text } from '@mantine/core'

interface Account {
  email: string
  password: string
}

/** Ready-made accounts of a demo; choosing one fills in the form. */
export function DemoAccounts({
  accounts,
  onChoose,
}: {
  accounts: Account[]
  onChoose: (account: Account) => void
}) {
  return (
    <Card component="section" aria-labelledby="demo-accounts" w="100%" maw={440} padding="md" shadow="none">
      <Text id="demo-accounts" fw={600} size="sm" component="h2" m={0}>
        {t`Demo accounts`}
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {t`Choose a demo account, then sign in.`}
      </Text>
      <Group gap="xs">
        {accounts.map((account) => (
          <Button
            key={account.email}
            variant="default"
            fw={500}
            fz="sm"
            px="sm"
            onClick={() => onChoose(account)}
          >
            {account.email}
          </Button>
        ))}
      </Group>
    </Card>
  )
}
