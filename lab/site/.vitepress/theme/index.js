// How does the site look? VitePress's own theme with the fonts of the reader's system, and a landing page.

import Theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import Landing from './Landing.vue'
import './style.css'

export default {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'home-hero-before': () => h(Landing) }),
}
