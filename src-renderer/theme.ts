/** Colours and fonts. Colours are set here and in `theme.css` for both schemes, because the defaults of the component library fail the
 *  contrast of 4.5:1 (WCAG 2.2, 1.4.3) for dimmed text, placeholders and filled buttons. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const ink: MantineColorsTuple = [
  '#eef4fa',
  '#dbe7f3',
  '#b9d0e6',
  '#8fb7dc',
  '#6ba0d0',
  '#3f7fb8',
  '#2b6ca6',
  '#1d4e79',
  '#173f62',
  '#10304c',
]
/** Dark to light: surfaces of the dark scheme. */
const slate: MantineColorsTuple = [
  '#e6e8eb',
  '#c4cad1',
  '#a9b1ba',
  '#7f8892',
  '#3b434c',
  '#2c333b',
  '#20262c',
  '#171b20',
  '#12161a',
  '#0d1013',
]
const brick: MantineColorsTuple = [
  '#fdeeec',
  '#f9dad7',
  '#f1b2ac',
  '#ee8f87',
  '#e3665c',
  '#d3463b',
  '#bd3329',
  '#a1221c',
  '#841a15',
  '#651310',
]

export const theme = createTheme({
  colors: { ink, dark: slate, red: brick },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  fontSizes: { xs: '0.78rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  focusRing: 'always',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Tooltip: {
      defaultProps: {
        multiline: true,
        maw: 320,
        openDelay: 250,
        withArrow: true,
        events: { hover: true, focus: true, touch: true },
      },
    },
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] } },
    Alert: { defaultProps: { variant: 'light' } },
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#faf9f6',
    '--mantine-color-text': '#1f2328',
    '--mantine-color-dimmed': '#565e67',
    '--mantine-color-placeholder': '#666d75',
    '--mantine-color-error': '#a1221c',
    '--mantine-color-anchor': '#1d4e79',
    '--mantine-color-default-border': '#c9c5bc',
    '--mantine-color-disabled': '#eceae5',
    '--mantine-color-disabled-color': '#60666d',
    '--mantine-color-red-light-color': '#841a15',
    '--mantine-color-red-light': '#fdeeec',
    '--mantine-color-yellow-light-color': '#6b4300',
    '--mantine-color-yellow-light': '#fdf1da',
    '--mantine-color-gray-light-color': '#4a525a',
  },
  dark: {
    '--mantine-color-body': '#12161a',
    '--mantine-color-text': '#e6e8eb',
    '--mantine-color-dimmed': '#a9b1ba',
    '--mantine-color-placeholder': '#98a1ab',
    '--mantine-color-error': '#ff9d96',
    '--mantine-color-anchor': '#8fc3f5',
    '--mantine-color-default': '#20262c',
    '--mantine-color-default-hover': '#2c333b',
    '--mantine-color-default-border': '#48525c',
    '--mantine-color-disabled': '#20262c',
    '--mantine-color-disabled-color': '#98a1ab',
    '--mantine-color-red-light-color': '#ffb3ad',
    '--mantine-color-red-light': '#3a1a19',
    '--mantine-color-yellow-light-color': '#f2c078',
    '--mantine-color-yellow-light': '#33260f',
    '--mantine-color-gray-light-color': '#c4cad1',
  },
})
