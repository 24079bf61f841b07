import { Text, UnstyledButton } from '@mantine/core'
import { ProviderLogo } from './ProviderLogo.tsx'
import classes from './ProviderTile.module.css'
import { providerTheme } from './provider-theme.ts'

interface ProviderTileProps {
  provider: string
  /** A line under the name, such as "3 plans". */
  caption: string
  onPick: () => void
}

/** A provider to choose: logo, name and one fact. */
export function ProviderTile({ provider, caption, onPick }: ProviderTileProps) {
  return (
    <UnstyledButton className={classes.tile} style={providerTheme(provider).vars} onClick={onPick}>
      <ProviderLogo provider={provider} size="md" />
      <span className={classes.words}>
        <Text component="span" fw={650} lh={1.25} className={classes.name}>
          {provider}
        </Text>
        <Text component="span" size="sm" c="dimmed" lh={1.35}>
          {caption}
        </Text>
      </span>
    </UnstyledButton>
  )
}
